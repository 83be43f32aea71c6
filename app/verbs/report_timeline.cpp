#include "app/verbs/report_timeline.h"

#include <cmath>

#include "app/stage/headless_stage.h"

namespace tv {
namespace {

constexpr int kWidth = 1280, kHeight = 420;

}  // namespace

std::vector<std::optional<Image>> timeline_pictures(const Options& options,
                                                    const std::shared_ptr<const Snapshot>& snapshot,
                                                    const std::vector<Finding>& found) {
  std::vector<std::optional<Image>> pictures(found.size());
  Options window = options;
  window.width = kWidth;
  window.height = kHeight;
  window.scale = 1;
  window.light = true;
  HeadlessStage stage(window);
  if (!stage.open_gl()) return pictures;
  Workspace& workspace = stage.workspace();
  workspace.session().go_back_to({options.paths, {options.choice, options.closed, options.clocks, PlaceBy::Collectives, options.align}, snapshot});
  stage.wait_until_loaded();
  stage.settle();
  const auto close_drawer = [&workspace] {
    if (workspace.state().panels.layout().drawer) workspace.apply(command::TogglePanel{"drawer"});
  };
  close_drawer();
  for (std::size_t f = 0; f < found.size(); ++f) {
    const Finding& one = found[f];
    const std::optional<TimeRange> view = view_of(one);
    if (!view) continue;
    if (one.slice != kNone<SliceId>) workspace.apply(command::SelectSlice{one.slice, true});
    workspace.apply(command::ZoomTo{*view});
    close_drawer();
    stage.settle();
    auto shot = stage.screenshot();
    if (!shot) return pictures;
    const std::optional<Area> area = stage.interface().area_shown("timeline");
    if (!area) continue;
    const int left = static_cast<int>(std::floor(area->x)), top = static_cast<int>(std::floor(area->y));
    const int right = static_cast<int>(std::ceil(area->x + area->width)), bottom = static_cast<int>(std::ceil(area->y + area->height));
    pictures[f] = cropped(*shot, left, top, right - left, bottom - top);
  }
  return pictures;
}

}  // namespace tv

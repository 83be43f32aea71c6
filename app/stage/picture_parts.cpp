#include "app/stage/picture_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/stage/png.h"
#include "core/base/text/ascii.h"
#include "core/io/written/new_file.h"
#include "core/store/draft/input_files.h"
#include "core/view/charts/chart_kinds.h"
#include "core/view/color/chart_palette.h"
#include "core/view/picture/chart_picture.h"
#include "core/view/picture/chart_svg.h"

namespace tv {
namespace {

// Draws the charts of a panel, one below the other.
Result<std::string> panel_svg(HeadlessStage& stage, const Options& options, const std::string& panel) {
  const auto kinds = chart_kinds();
  const auto kind = std::ranges::find(kinds, panel, &ChartKind::id);
  if (kind == kinds.end()) return Error{fmt::format("\"{}\" is not a chart, so there is no SVG of it", panel), {}, {}, "write a PNG instead"};
  const RunState::Charts made = stage.workspace().run().charts(*kind);
  if (!made.charts || made.charts->empty()) return Error{"the panel has no chart for the open files", {}, {}, {}};
  constexpr float kLeastChartSvg = 300, kBetweenCharts = 16;
  const auto count = static_cast<float>(made.charts->size());
  ChartFrame frame;
  frame.width = static_cast<float>(options.width);
  frame.height = std::max((static_cast<float>(options.height) - kBetweenCharts * (count - 1)) / count, kLeastChartSvg);
  frame.theme = stage.workspace().settings().shown_theme();
  frame.note_below = true;
  if (made.charts->size() == 1) return chart_svg(chart_picture(made.charts->front(), frame), panel);
  const float height = frame.height * count + kBetweenCharts * (count - 1);
  const Rgba ground = chart_ink(frame.theme).background;
  std::string out = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
                                "<rect width=\"{0}\" height=\"{1}\" fill=\"#{2:02x}{3:02x}{4:02x}\"/>\n",
                                frame.width, height, ground & 255, ground >> 8 & 255, ground >> 16 & 255);
  float y = 0;
  for (std::size_t c = 0; c < made.charts->size(); ++c) {
    out += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", y,
                       chart_svg(chart_picture((*made.charts)[c], frame), fmt::format("{}{}", panel, c)));
    y += frame.height + kBetweenCharts;
  }
  return out + "</svg>\n";
}

// Draws the timeline as it is shown now. Error: there are no lanes.
Result<std::string> shown_timeline_svg(HeadlessStage& stage) {
  const std::size_t before = stage.asked().files.size();
  command::Screenshot shot;
  shot.of = "timeline";
  shot.svg = true;
  stage.interface().commands().push(shot);
  stage.frames(2);
  if (stage.asked().files.size() == before) return Error{"there are no lanes to draw", {}, {}, {}};
  return stage.asked().files.back().text;
}

}  // namespace

Result<void> write_timeline_svg(HeadlessStage& stage, const std::string& path) {
  const auto text = shown_timeline_svg(stage);
  return text ? write_whole(NewFile::output(path, NewFile::Content::Text), text.value()) : Result<void>(text.error());
}

Result<void> show_panel(HeadlessStage& stage, const Options& options) {
  if (options.panel.empty()) return {};
  stage.settle();
  const std::string wanted = lower_case(options.panel);
  std::string known;
  for (const auto& [id, title] : stage.interface().panels_with_data()) {
    if (id == wanted || lower_case(title) == wanted) {
      Workspace& workspace = stage.workspace();
      workspace.apply(command::ShowPanel{id});
      workspace.apply(command::SizePanels{PanelSize::Drawer, 1});  // the picture shows only this panel, as large as possible
      stage.settle();
      return {};
    }
    known += (known.empty() ? "" : ", ") + id;
  }
  return Error{fmt::format("the open files have no panel \"{}\"", options.panel), {}, {}, "there are: " + known};
}

Result<std::string> draw_picture(HeadlessStage& stage, const Options& options) {
  if (auto checked = check_output(options.output, stage.workspace().trace().sources); !checked) return checked.error();
  if (auto checked = check_not_input(options.output, {&options.view, 1}); !checked) return checked.error();
  if (options.svg && !options.panel.empty()) return panel_svg(stage, options, stage.workspace().state().panels.layout().left);
  if (options.svg) return shown_timeline_svg(stage);
  auto shot = stage.screenshot();
  if (!shot) return shot.error();
  Image image = std::move(*shot);
  std::optional<Area> area;
  if (options.timeline_alone) area = stage.interface().area_shown("timeline");
  if (!options.panel.empty()) area = stage.interface().area_shown(stage.workspace().state().panels.layout().left);
  const auto pixel = [](float at) { return static_cast<int>(std::lround(at)); };
  if (area) image = cropped(image, pixel(area->x), pixel(area->y), pixel(area->width), pixel(area->height));
  if (const auto& clip = options.clip) {
    const auto scaled = [&](int units) { return static_cast<int>(std::lround(units * options.scale)); };
    image = cropped(image, scaled(clip->x), scaled(clip->y), scaled(clip->width), scaled(clip->height));
  }
  if (image.width == 0 || image.height == 0) return Error{"--clip lies outside the picture", {}, {}, "choose a part inside it"};
  return png_bytes(image);
}

Result<void> write_picture(const Options& options, const std::string& bytes) {
  return write_whole(NewFile::output(options.output, options.svg ? NewFile::Content::Text : NewFile::Content::Binary), bytes);
}

}  // namespace tv

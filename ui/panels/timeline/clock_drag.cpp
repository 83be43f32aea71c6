// Alt and drag on a lane's name: moves the clock of its files; the lanes follow as fast as views can be built.
#include <algorithm>
#include <cmath>

#include "ui/panels/timeline/timeline_panel.h"
#include "ui/widgets/text/letters.h"

namespace tv {

void TimelinePanel::begin_clock(const PanelContext& context, LaneId lane) {
  const Workspace& workspace = context.workspace;
  clock_ = {clock_of_lane(workspace.trace(), lane), workspace.session().read().clocks, workspace.session().read().place_by, 0,
            workspace.view(half_).span / std::max(1.0, static_cast<double>(lanes_.width))};
  drag_ = Drag::Clock;
}

Ns TimelinePanel::clock_dragged_by(float x) const {
  // In round steps that are not finer than a pixel.
  const double unit = std::max(1.0, std::pow(10.0, std::floor(std::log10(std::max(clock_.ns_per_px, 1.0)))));
  const double by = std::round(static_cast<double>(x - press_.x) * clock_.ns_per_px / unit) * unit;
  const auto most = static_cast<double>(kLongestClockOffset);
  return static_cast<Ns>(std::clamp(by, -most, most));
}

// One move at a time: the mouse may go on while a view is being built.
void TimelinePanel::drag_clock(const PanelContext& context, ImVec2 mouse, bool last) {
  constexpr float kThreshold = 2;
  if (!clock_.of.why_fixed.empty() || (!last && context.workspace.session().loading())) return;
  if (clock_.by == 0 && std::abs(mouse.x - press_.x) < context.theme.px(kThreshold)) return;
  const Ns by = clock_dragged_by(mouse.x);
  if (by == clock_.by) return;
  clock_.by = by;
  if (clock_.of.compared) context.push(command::PlaceClocks{by == 0 ? clock_.place_before : PlaceBy::Recorded});
  context.push(command::SetClocks{moved_by(clock_.of, by, clock_.before)});
}

bool TimelinePanel::cancel_clock(const PanelContext& context) {
  if (drag_ != Drag::Clock) return false;
  drag_ = Drag::None;
  if (clock_.by == 0) return true;
  context.push(command::PlaceClocks{clock_.place_before});
  context.push(command::SetClocks{clock_.before});
  return true;
}

void TimelinePanel::draw_dragged_clock() const {
  if (drag_ != Drag::Clock) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  ImGui::SetTooltip("%s", with_letters(drag_text(clock_.of, clock_dragged_by(ImGui::GetIO().MousePos.x)).c_str()));
}

}  // namespace tv

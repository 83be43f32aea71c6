#include "ui/panels/lanes/clock_drag.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/text/letters.h"

namespace tv {

void ClockDrag::begin(const Workspace& workspace, const LanesPlace& place, LaneId lane, float x) {
  lane_clock_ = clock_of_lane(workspace.trace(), lane);
  before_ = workspace.session().read().clocks;
  place_before_ = workspace.session().read().place_by;
  requested_ = 0;
  ns_per_px_ = place.view.span / std::max(1.0, static_cast<double>(place.area.width));
  pressed_x_ = x;
}

Ns ClockDrag::dragged_by(float x) const {
  // Rounds to the largest power of ten that is at most a pixel.
  const double unit = std::max(1.0, std::pow(10.0, std::floor(std::log10(std::max(ns_per_px_, 1.0)))));
  const double by = std::round(static_cast<double>(x - pressed_x_) * ns_per_px_ / unit) * unit;
  const auto most = static_cast<double>(kLongestClockOffset);
  return static_cast<Ns>(std::clamp(by, -most, most));
}

// While files are being loaded, only the last move counts.
void ClockDrag::move_to(const PanelContext& context, float x, bool last) {
  constexpr float kThreshold = 2;
  if (!lane_clock_.why_fixed.empty() || (!last && context.workspace.session().loading())) return;
  if (requested_ == 0 && std::abs(x - pressed_x_) < context.theme.px(kThreshold)) return;
  const Ns by = dragged_by(x);
  if (by == requested_) return;
  requested_ = by;
  if (lane_clock_.compared) context.push(command::PlaceClocks{by == 0 ? place_before_ : PlaceBy::Recorded});
  context.push(command::SetClocks{moved_by(lane_clock_, by, before_)});
}

void ClockDrag::cancel(const PanelContext& context) const {
  if (requested_ == 0) return;
  context.push(command::PlaceClocks{place_before_});
  context.push(command::SetClocks{before_});
}

void ClockDrag::draw() const {
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  ImGui::SetTooltip("%s", with_letters(drag_text(lane_clock_, dragged_by(ImGui::GetIO().MousePos.x)).c_str()));
}

}  // namespace tv

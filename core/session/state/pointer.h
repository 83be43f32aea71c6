// The mouse position, in terms of what it points at; key commands act there.
#pragma once

#include <optional>
#include <utility>

#include "core/query/lane_gaps.h"
#include "core/view/lanes/lane_layout.h"
#include "core/view/timeline/split.h"

namespace tv {

struct UnderMouse {
  std::optional<double> on_timeline = {};  ///< the time; none: the mouse is not over the timeline
  std::optional<Gap> gap = {};
  std::optional<LaneLayout::Place> place = {};  ///< the place in the lanes; none: the mouse is not over lanes or their names
  double y = 0;                       ///< pixels below the top of the lanes' area
  SplitHalf half = SplitHalf::Upper;  ///< the half that the mouse was over last: keys act there
};

struct Pointer : UnderMouse {
  std::optional<double> on_chart;     ///< the time under the mouse in a chart with a time axis, for this frame
  std::optional<double> next_on_chart;  ///< the same for the next frame

  /// On the timeline or in a chart.
  std::optional<double> time() const { return on_timeline ? on_timeline : on_chart; }
  /// A chart under the mouse sets its time again in every frame.
  void next_frame() { on_chart = std::exchange(next_on_chart, std::nullopt); }
};

}  // namespace tv

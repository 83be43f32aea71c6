// Where the mouse is, in terms of what it points at: commands by key act there.
#pragma once

#include <optional>
#include <utility>

#include "core/query/lane_gaps.h"
#include "core/view/lanes/lane_layout.h"
#include "core/view/timeline/split.h"

namespace tv {

struct Pointer {
  std::optional<double> on_timeline;  ///< the time there
  std::optional<double> on_chart;     ///< the time in a chart with a time axis; of this frame
  std::optional<double> next_on_chart;
  std::optional<Gap> gap;             ///< it points at
  std::optional<LaneLayout::Place> place;  ///< none: it is not over lanes or their names
  double y = 0;                       ///< pixels below the top of the lanes' part
  SplitHalf half = SplitHalf::Upper;  ///< that was pointed at last: keys mean it

  /// On the timeline or in a chart.
  std::optional<double> time() const { return on_timeline ? on_timeline : on_chart; }
  /// A chart under the mouse says its time in every frame.
  void next_frame() { on_chart = std::exchange(next_on_chart, std::nullopt); }
};

}  // namespace tv

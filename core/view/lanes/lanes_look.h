// How lanes are arranged, as a value that is saved and restored: in view files, and under the numbers 1 to 9.
#pragma once

#include <optional>

#include "core/view/lanes/lane_layout.h"
#include "core/view/lanes/lane_order.h"

namespace tv {

struct LanesLook {
  LaneState state;
  std::optional<LaneSort> sort;
  std::optional<HeatMeasure> order;  ///< order of workers, by a measure of the current step
  float row_steps = 0;   ///< the user's change of row heights, in steps
  bool overview = true;  ///< the lanes of first_view, else the tree
};

}  // namespace tv

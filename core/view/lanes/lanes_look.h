// How lanes are arranged, as a value that is saved and restored as it is: in view files, and under the numbers 1 to 9.
#pragma once

#include <optional>

#include "core/view/lanes/lane_layout.h"
#include "core/view/lanes/lane_order.h"

namespace tv {

struct LanesLook {
  LaneState state;
  std::optional<LaneSort> sort;
  std::optional<HeatMeasure> order;  ///< of workers, by the step that is looked at
  float row_steps = 0;   ///< of row heights, by the user
  bool overview = true;  ///< first_view's lanes, else the tree
};

}  // namespace tv

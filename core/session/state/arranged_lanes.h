// How the lanes are arranged: the user's choices (LanesLook), and what is derived from the trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/view/lanes/lanes_look.h"

namespace tv {

struct ArrangedLanes : LanesLook {
  std::optional<std::uint32_t> ordered_for;  ///< the step for which LaneState::weight was computed
  /// The user has given no command with the effect Arranges (commands.inc) since something was opened. So lanes may still move.
  bool untouched = true;
  /// The first order was computed from the complete trace. Stays false if the user acts before the trace is read: lanes must not
  /// move after that.
  bool first_order_complete = false;
  /// The height of all lanes as first arranged, with a few free lines. 0: they do not fit, or the trace is still being read.
  float all_lanes_px = 0;
  std::uint64_t culprit_generation = 0;  ///< the last snapshot whose lanes were arranged for the request that cost most time
  std::string complaint;                 ///< why the lane filter is not understood; empty if it is
};

}  // namespace tv

// How lanes are arranged: the user's choices, and what follows from the trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/view/lanes/lanes_look.h"

namespace tv {

struct ArrangedLanes : LanesLook {
  std::optional<std::uint32_t> ordered_for;  ///< the step for which the weights in `state` were computed
  bool untouched = true;     ///< no user action since something was opened: lanes may still be arranged
  bool first_sorted = false; ///< lanes are ordered for a trace that was read completely
  float need_px = 0;         ///< height of all lanes and a few lines, as first arranged; 0: no room, or still being read
  std::uint64_t culprit_known_of = 0;  ///< generation of the snapshot for which lanes were arranged with the culprit
  std::string complaint;     ///< why the filter is not understood; empty if it is
};

}  // namespace tv

// How lanes are arranged: what was chosen, and what follows from the trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/view/lanes/lanes_look.h"

namespace tv {

struct ArrangedLanes : LanesLook {
  std::optional<std::uint32_t> ordered_for;  ///< the step that the weights in `state` are of
  bool untouched = true;     ///< nothing was done in the window since something was opened: lanes may still be arranged
  bool first_sorted = false; ///< lanes stand as in a trace that is read to its end
  float need_px = 0;         ///< of all lanes and some lines below, as they stood before anything was done; 0: the window has no room
                             ///< for all, or they are being read
  std::uint64_t culprit_known_of = 0;  ///< the snapshot's generation
  std::string complaint;     ///< why the filter is not understood; empty: it is
};

}  // namespace tv

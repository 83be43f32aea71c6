// When the iterations of a log ended whose lines are stamped with whole seconds. A stamp alone places an iteration to the
// second, which is many iterations of a fast training. The lengths between the lines are exact to a tenth of a millisecond:
// all ends of lines that follow each other hang together, and the longest such chain that keeps every end within its
// stamped second is placed as one, in the middle of what its stamps leave open.
//
// Whatever the log, an end lies within the second of its stamp; where something that nobody timed came between two lines, a
// new chain begins. Stamps with fractions of a second are taken as they are.
// Cost: O(lines).
#pragma once

#include <span>
#include <vector>

#include "core/base/time.h"

namespace tv {

struct StampedLine {
  Ns stamp = 0;          ///< when the line was printed, cut to the second
  Ns length = 0;         ///< since the line before, where that follows; 0 <= length
  bool follows = false;  ///< no iterations are missing between it and the line before
};

std::vector<Ns> stamped_ends(std::span<const StampedLine> lines);

}  // namespace tv

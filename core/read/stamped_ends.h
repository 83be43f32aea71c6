// Finds when the iterations of a log ended if its stamps are whole seconds. A stamp alone places an iteration to the
// second, which is many iterations of a fast training. The lengths between the lines are exact to a tenth of a millisecond, so
// the ends of consecutive lines are tied together. The longest such chain that keeps every end within its
// stamped second is placed as one, in the middle of the range that its stamps allow.
//
// An end always lies within the second of its stamp. Where something without a measured length came between two lines, a
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

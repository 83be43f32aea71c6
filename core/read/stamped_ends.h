// Finds when the iterations of a log ended if its timestamps are whole seconds. A stamp alone is exact only to a second, in
// which a fast training runs many iterations. The durations between lines are exact to a tenth of a millisecond, so the ends of
// consecutive lines are chained. A chain is as long as it can be with every end within the second of its stamp. It is placed in
// the middle of the range that the stamps allow, or later in that range if it would begin before the previous chain has ended.
//
// If something of unknown length came between two lines, a new chain begins. Stamps with fractions of a second are used as they
// are. Cost: O(lines).
#pragma once

#include <span>
#include <vector>

#include "core/base/time.h"

namespace tv {

struct StampedLine {
  Ns stamp = 0;          ///< when the line was printed, cut to the second
  Ns length = 0;         ///< since the previous line, if `follows`; not negative
  bool follows = false;  ///< no iterations are missing between the previous line and this one
};

/// By line: when its iteration ended.
std::vector<Ns> stamped_ends(std::span<const StampedLine> lines);

}  // namespace tv

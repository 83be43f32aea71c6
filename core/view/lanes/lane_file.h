// Which file a lane and all in it are of, for what is done with a file where its lanes are seen.
// Cost: O(rows of the lanes in it); of each row one slice is looked at.
#pragma once

#include <cstddef>
#include <optional>

#include "core/store/trace/trace.h"

namespace tv {

/// Index into Trace::sources; nothing where there are several, or no slices.
std::optional<std::size_t> file_of_lane(const Trace& trace, LaneId lane);

}  // namespace tv

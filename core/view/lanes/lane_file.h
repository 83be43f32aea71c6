// Finds the file that a lane and all lanes in it were read from, so that commands on files apply to lanes too. Cost: O(rows of
// the lanes in it); one slice of each row is read.
#pragma once

#include <cstddef>
#include <optional>

#include "core/store/trace/trace.h"

namespace tv {

/// Index into Trace::sources. None if the lanes are from several files, or have no slices.
std::optional<std::size_t> file_of_lane(const Trace& trace, LaneId lane);

}  // namespace tv

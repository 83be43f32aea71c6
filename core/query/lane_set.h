// A set of lanes to look at, as the user picks it: lanes and groups; a group stands for all lanes in it.
#pragma once

#include <span>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

/// The lanes of the set in display order without duplicates, groups resolved; an empty set means all lanes.
std::vector<LaneId> resolve_lanes(const Trace& trace, std::span<const LaneId> set);

}  // namespace tv

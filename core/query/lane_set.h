// A set of lanes to look at, as chosen by the user: lanes and groups; a group stands for all lanes in it.
#pragma once

#include <span>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

/// The lanes of the set in display order without duplicates, groups resolved; an empty set means all lanes.
std::vector<LaneId> resolve_lanes(const Trace& trace, std::span<const LaneId> set);

/// By lane: whether it has a slice whose label satisfies `of`.
template <class Of>
std::vector<bool> lanes_with_label(const Trace& trace, Of of) {
  std::vector<bool> out(trace.lanes.size(), false);
  for (const Row& row : trace.rows) {
    if (row.kind == RowKind::Slices && !out[idx(row.lane)]) out[idx(row.lane)] = trace.slices_of(row).any_label(of);
  }
  return out;
}

}  // namespace tv

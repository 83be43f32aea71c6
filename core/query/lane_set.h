// A set of lanes that the user has chosen: lanes and groups, where a group stands for all lanes in it.
#pragma once

#include <span>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

/// The lanes of the set, with groups resolved, in display order and without duplicates. An empty set means all lanes.
std::vector<LaneId> resolve_lanes(const Trace& trace, std::span<const LaneId> set);

/// By lane: whether it has a slice whose label satisfies the predicate `wanted`.
template <class Wanted>
std::vector<bool> lanes_with_label(const Trace& trace, Wanted wanted) {
  std::vector<bool> out(trace.lanes.size(), false);
  for (const Row& row : trace.rows) {
    if (row.kind == RowKind::Slices && !out[idx(row.lane)]) out[idx(row.lane)] = trace.slices_of(row).any_label(wanted);
  }
  return out;
}

}  // namespace tv

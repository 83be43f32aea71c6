// Finds the time between the recordings of a process, about which nothing is known. A profiler that records a part of each step
// writes several files (process_lanes.h). A GPU without work between two of these was not necessarily idle.
//
//   file 1  [=== == ===]
//   file 2                         [== ====]
//   GPU      === == ===.............== ====
//                      | unrecorded |
//
// A file covers the time in which it has work (work_extent.h). Cost: O(rows + sources log sources).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

/// The parts of `within` between the recordings of these rows' processes, in order. Empty for a process with one recording.
std::vector<TimeRange> unrecorded(const Trace& trace, std::span<const std::uint32_t> rows, TimeRange within);

}  // namespace tv

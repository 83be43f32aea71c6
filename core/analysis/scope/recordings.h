// Between the recordings of a process nothing is known. A profiler that records a part of each step writes several files
// (process_lanes.h). If a GPU has no work between two of them, it need not have been idle.
//
//   file 1  [=== == ===]
//   file 2                         [== ====]
//   GPU      === == ===.............== ====
//                      | unrecorded |
//
// A file covers the time in which something took time (work_extent.h). Cost: O(rows + sources log sources).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

/// The stretches of `within` that none of the recordings of these rows' processes cover, in order. Of a process with one
/// recording there are none.
std::vector<TimeRange> unrecorded(const Trace& trace, std::span<const std::uint32_t> rows, TimeRange within);

}  // namespace tv

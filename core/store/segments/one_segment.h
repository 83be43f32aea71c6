// Merges several segments into one, with a copy of all slices.
//
//   of a view   to be written to a file; rows that share a line become one row
//   joined      a segment and another of files that continue its files, as if all had been built at once: for small steps of a
//               followed rollout (grown_logs.h). The first segment's request data is shared.
//
//     before   lane 0   ▬▬ ▬▬▬ ▬▬                 joined   lane 0   ▬▬ ▬▬▬ ▬▬ ▬▬▬ ▬
//              lane 1    ▬▬▬ ▬▬      +  ▬▬▬ ▬     ──>      lane 1    ▬▬▬ ▬▬    ▬▬▬ ▬▬
//
// Cost: as for a view over them (compose.h), and 32 bytes per slice. Rows are copied in parallel. Most of the time is spent in the
// system, which provides the memory.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/base/threads/thread_pool.h"
#include "core/store/trace/trace.h"

namespace tv {

/// An error if there are more slices than a segment can have.
Result<std::shared_ptr<const Trace>> as_one_segment(const Trace& view, ThreadPool& pool);

/// Whether joined() gives the same as building both at once. False if slices of one lane run at the same time, if the layout
/// depends on other slices of the lane, or if there are arrows, clocks, counters, or training or pipeline logs that could
/// continue from one to the other.
bool goes_on_after(const Trace& before, const Trace& after);

/// For segments that continue each other and were placed together. Null: too many slices for one segment.
std::shared_ptr<const Trace> joined(const std::shared_ptr<const Trace>& before, const std::shared_ptr<const Trace>& after,
                                    ThreadPool& pool);

}  // namespace tv

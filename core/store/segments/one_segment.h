// Merges several segments into one. All slices are copied.
//
//   as_one_segment()   a view that is to be written to a file; rows that share a line become one row
//   joined()           a segment, and another of files that continue its files: the result is as if both had been built at once.
//                      For small steps of a followed rollout (grown_logs.h). The data of the first segment's requests are shared.
//
//     before   lane 0   ▬▬ ▬▬▬ ▬▬                 joined   lane 0   ▬▬ ▬▬▬ ▬▬ ▬▬▬ ▬
//              lane 1    ▬▬▬ ▬▬      +  ▬▬▬ ▬     ──>      lane 1    ▬▬▬ ▬▬    ▬▬▬ ▬▬
//
// Cost: as for a view of these segments (compose.h), and 36 bytes per slice. Rows are copied in parallel. Most of the time
// goes into getting memory from the system.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/base/threads/thread_pool.h"
#include "core/store/trace/trace.h"

namespace tv {

/// An error if there are more slices than a segment can have.
Result<std::shared_ptr<const Trace>> as_one_segment(const Trace& view, ThreadPool& pool);

/// Whether joined() gives the same result as building both at once. False if slices of one lane run at the same time, if the rows
/// of a slice could depend on slices of the other segment, or if arrows, clocks, counters, training or pipeline logs could
/// continue from one to the other.
bool goes_on_after(const Trace& before, const Trace& after);

/// For segments for which goes_on_after() is true and whose logs were placed together. Null: too many slices for one segment, or
/// compose() would fail.
std::shared_ptr<const Trace> joined(const std::shared_ptr<const Trace>& before, const std::shared_ptr<const Trace>& after,
                                    ThreadPool& pool);

}  // namespace tv

// Merges several segments into one, with a copy of all slices.
//
//   of a view   to be written to a file; rows that share a line become one
//   joined      a segment of some files and another of files that continue them, as if all had been built at once: small steps
//               of a rollout that is followed (grown_logs.h). The first log's data of requests is shared.
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

/// Whether the two are independent. They are not if slices of one lane run at once, if the layout depends on what else is on the
/// lane, or if arrows, counters or clocks continue from one to the other. Then building all at once could give another result than
/// a view over both.
bool goes_on_after(const Trace& before, const Trace& after);

/// For segments that continue each other and were placed together. Null: too many slices for one segment.
std::shared_ptr<const Trace> joined(const std::shared_ptr<const Trace>& before, const std::shared_ptr<const Trace>& after,
                                    ThreadPool& pool);

}  // namespace tv

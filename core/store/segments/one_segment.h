// Several segments as one, with a copy of all slices.
//
//   of a view   to be written to a file; rows that are on one line are one
//   joined      what was built of some files and of others that go on after them, as if all had been built at once: small steps
//               of a rollout that is followed (grown_logs.h). What the log of the first says of requests is shared.
//
//     before   lane 0   ▬▬ ▬▬▬ ▬▬                 joined   lane 0   ▬▬ ▬▬▬ ▬▬ ▬▬▬ ▬
//              lane 1    ▬▬▬ ▬▬      +  ▬▬▬ ▬     ──>      lane 1    ▬▬▬ ▬▬    ▬▬▬ ▬▬
//
// Cost: as of a view over them (compose.h), and 32 bytes per slice. Rows are copied side by side: most of it is the system's, which
// gives the memory.
#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/base/threads/thread_pool.h"
#include "core/store/trace/trace.h"

namespace tv {

/// An error when its slices are more than a segment can have.
Result<std::shared_ptr<const Trace>> as_one_segment(const Trace& view, ThreadPool& pool);

/// Whether nothing of one depends on the other: else slices of one lane run at once, were laid out by what else there is on the
/// lane, or arrows, counters or clocks go on from one to the other. Then building all at once could give something else than a
/// view over both.
bool goes_on_after(const Trace& before, const Trace& after);

/// Of segments of which that is so, placed together. Null: they are too many for one.
std::shared_ptr<const Trace> joined(const std::shared_ptr<const Trace>& before, const std::shared_ptr<const Trace>& after,
                                    ThreadPool& pool);

}  // namespace tv

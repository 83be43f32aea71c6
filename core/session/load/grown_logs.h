// The rollouts of a run when files come after those that were built, or the last ones grow: only these are built, and joined with what
// was built of all before (one_segment.h).
//
//   files    step_1 ... step_719  step_720       step_720 grows, or step_721 comes:
//            └─────── stays ─────────────┘ + what changed
//
// What stays ends with a folder, as all files of a step may still be written. What comes out is what build_segment() makes of all
// files. Cost: building those that changed, and a copy of the slices that were there. Where they cannot be joined all are built, and
// joining is tried again when there is a folder more.
#pragma once

#include <cstddef>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/session/load/kept_segments.h"

namespace tv {

/// A group of files that were read, and placed.
struct PlacedLogs {
  std::vector<SourceView> views;
  std::vector<std::shared_ptr<const KeptFile>> files;  ///< by view: what is left of it to the next load; null: nothing is
};

/// Rollouts alone, of which what was read is left to the next load.
bool may_grow(const PlacedLogs& logs);

/// What was built of `earlier` ones is used where it is the same. `built`: becomes what this one leaves, the segment of all files the
/// last. Null when stopped.
std::shared_ptr<const Trace> build_grown(PlacedLogs logs, const std::vector<BuiltLogs>& earlier, AlignChoice align, ThreadPool& pool,
                                         std::stop_token stop, std::vector<BuiltLogs>& built);

}  // namespace tv

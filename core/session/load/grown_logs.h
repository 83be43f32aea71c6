// The rollouts of a run when files come after those that were built, or the last ones grow: only these are built, and lie in the
// view after what was built of all before.
//
//   files      step_1 ... step_512 | step_513 ... step_576 | step_577 | step_578
//   segments   └──── stays ──────┘   └────── stays ─────┘    └ stays ┘   built with each change, while it is written
//
// What stays ends with a folder, as all files of a step may still be written. Segments that stay become one when the one before has
// less than twice the slices of the next, so that there are few: a slice is copied about as often as their number doubles
// (one_segment.h). What comes out, as one, is what build_segment() makes of all files. Cost: building the files that changed; now and
// then a copy. Where nothing can lie after another all files are built, and that is tried again when there is a folder more.
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

/// What was built of `earlier` ones is used where it is the same. `built`: becomes what this one leaves. `in_parts`: what is followed;
/// else it is one segment. One that is null when stopped.
Segments build_grown(PlacedLogs logs, const std::vector<BuiltLogs>& earlier, bool in_parts, AlignChoice align, ThreadPool& pool,
                     std::stop_token stop, std::vector<BuiltLogs>& built);

}  // namespace tv

// The rollouts of a run when new files come after those that were built, or the last ones grow: only these are built, and lie in
// the view after the segments of all earlier ones.
//
//   files      step_1 ... step_512 | step_513 ... step_576 | step_577 | step_578
//   segments   └──── stays ──────┘   └────── stays ─────┘    └ stays ┘   built with each change, while it is written
//
// Lasting segments end at a folder, as all files of a step may still be written. Two of them become one when the earlier has
// less than twice the slices of the later, so that there are few: a slice is copied about as often as their number doubles
// (one_segment.h). The joined result is what build_segment() makes of all files. Cost: building the files that changed; now and
// then a copy. If no segment can lie after another, all files are built, and it is tried again when there is one more folder.
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
  std::vector<std::shared_ptr<const KeptFile>> files;  ///< by view: its data for the next load; null: none
};

/// Whether these are only rollouts whose data are left to the next load.
bool may_grow(const PlacedLogs& logs);

/// Segments of `earlier` logs are used if they are the same. `built`: receives what this one leaves. `in_parts`: for followed
/// files; else it is one segment. A segment is null if stopped.
Segments build_grown(PlacedLogs logs, const std::vector<BuiltLogs>& earlier, bool in_parts, ThreadPool& pool, std::stop_token stop,
                     std::vector<BuiltLogs>& built);

}  // namespace tv

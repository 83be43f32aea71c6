// Extends the rollouts of a run when new files are added or the last ones grow: only these are built, and placed in the view after
// the segments of all earlier files.
//
//   files      step_1 ... step_512 | step_513 ... step_576 | step_577 | step_578
//   segments   └──── stays ──────┘   └────── stays ─────┘    └ stays ┘   built with each change, while it is written
//
// Lasting segments end at a folder boundary, as any file of a step may still be written. Two of them are joined when the earlier
// has less than twice the slices of the later, so that there are few: a slice is copied about as often as their number doubles
// (one_segment.h). The joined result equals what build_segment() makes of all files. Cost: building the files that changed; now and
// then a copy. If no segment can follow another, all files are built, and it is tried again when there is one more folder.
#pragma once

#include <cstddef>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/session/load/kept_segments.h"

namespace tv {

/// A group of files that have been read and placed.
struct PlacedLogs {
  std::vector<SourceView> views;
  std::vector<std::shared_ptr<const KeptFile>> files;  ///< per view: its data for the next load; null: none
};

/// Whether these are only rollouts whose data are passed on to the next load.
bool may_grow(const PlacedLogs& logs);

/// Reuses segments of `earlier` logs that are unchanged. `built`: receives what this call leaves for the next. `in_parts`: for
/// followed files; otherwise the result is one segment. A segment is null if stopped.
Segments build_grown(PlacedLogs logs, const std::vector<BuiltLogs>& earlier, bool in_parts, ThreadPool& pool, std::stop_token stop,
                     std::vector<BuiltLogs>& built);

}  // namespace tv

// Extends the rollouts of a run when new files are added or the last ones grow: only these are built, and placed in the view
// after the segments of all earlier files.
//
//   files      step_1 ... step_512 | step_513 ... step_576 | step_577 | step_578
//   segments   └──── stays ──────┘   └────── stays ─────┘    └ stays ┘   built with each change, while it is written
//
// Lasting segments end at a folder boundary, as any file of a step may still be written. Two neighbours are joined while the
// earlier has less than twice the slices of the later (one_segment.h). This leaves O(log slices) segments, and copies each slice
// O(log slices) times. The joined result equals what build_segment() makes of all files. If a segment cannot follow the earlier
// ones, all files are built, and the next attempt waits for another folder. Cost: building the changed files, and these copies.
#pragma once

#include <cstddef>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/session/held/held_segments.h"

namespace tv {

/// A group of files that have been read and placed.
struct PlacedLogs {
  std::vector<SourceView> views;
  std::vector<std::shared_ptr<const ReadLog>> files;  ///< per view: its data for the next load; null: none
};

/// Whether these are only rollouts whose data are passed on to the next load.
bool may_grow(const PlacedLogs& logs);

/// Reuses segments of `earlier` logs that are unchanged. `built`: receives the segments that the next call can reuse. `in_parts`:
/// returns several segments, for followed files; otherwise one. A segment is null if stopped.
Segments build_grown(PlacedLogs logs, const std::vector<BuiltLogs>& earlier, bool in_parts, ThreadPool& pool, std::stop_token stop,
                     std::vector<BuiltLogs>& built);

}  // namespace tv

// Extends the rollouts of a run when files are added or the last ones grow. Only these files are built; in the view, their
// segments come after the segments of all earlier files.
//
//   files      step_1 ... step_512 | step_513 ... step_576 | step_577 | step_578
//   segments   └──── stays ──────┘   └────── stays ─────┘    └ stays ┘   built at each change, while it is written
//
// A segment that stays ends at a folder boundary, because any file of a step's folder may still be written. Two neighbours are
// joined while the earlier has less than twice the slices of the later (one_segment.h). This leaves O(log slices) segments, and
// copies each slice O(log slices) times. The joined result equals what build_segment() makes of all files. If a segment cannot
// follow the earlier ones, all files are built together, and the next attempt waits for another folder. Cost: building the
// changed files, and copying.
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
  std::vector<std::shared_ptr<const ReadLog>> files;  ///< by view: the data for the next load; null: none
};

/// Whether the logs are only rollouts whose data are kept for the next load, and files that show nothing.
bool may_grow(const PlacedLogs& logs);

/// Builds the logs, and reuses segments of `earlier` whose files are unchanged. `in_parts`: returns several segments, for
/// followed files; otherwise one. `built` receives the segments that the next call can reuse. A segment is null if stopped.
Segments build_grown(PlacedLogs logs, const std::vector<BuiltLogs>& earlier, bool in_parts, ThreadPool& pool, std::stop_token stop,
                     std::vector<BuiltLogs>& built);

}  // namespace tv

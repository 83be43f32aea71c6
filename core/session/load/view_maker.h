// Makes the views of one load, one after another, from the segments that were read, reused segments and packed traces. A view
// takes over what did not change since the previous view: comparisons of clocks, labels, indexes.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/index/snapshot.h"
#include "core/session/files/load_options.h"
#include "core/session/files/load_source.h"
#include "core/session/held/held_segments.h"
#include "core/session/load/packed_traces.h"
#include "core/session/load/reused_segments.h"

namespace tv {

/// What a view shows.
struct ViewContents {
  const LoadSources& sources;  ///< segments are ordered by their files
  const ReusedSegments& reused;
  PackedTraces& packed;  ///< the surplus that does not fit into one view is only listed
};

class ViewMaker {
 public:
  /// `compared`, `shown`: of the earlier load.
  ViewMaker(ThreadPool& pool, const LoadOptions& options, ComparedClocks compared, ShownView shown)
      : pool_(pool), options_(options), compared_(std::move(compared)), shown_(std::move(shown)) {}

  /// `read`: the segments that were read. Null if stopped.
  std::shared_ptr<const Snapshot> make(const Segments& read, const ViewContents& contents, bool complete, std::stop_token stop);

  /// When the last view was composed, and what the next one can take over from it.
  std::chrono::steady_clock::time_point composed_at() const { return composed_at_; }
  const ComparedClocks& compared() const { return compared_; }
  const ShownView& shown() const { return shown_; }
  /// The segments of the last view. Leaves out unfinished ones, because they are built again for each view.
  const IndexedSegments& indexed() const { return indexed_; }
  void forget_indexes() { indexed_.clear(); }

 private:
  std::shared_ptr<const Trace> compose(const Segments& read, const ViewContents& contents, const Trace* earlier);
  void note_indexes(const Snapshot& snapshot, const Segments& read);

  ThreadPool& pool_;
  const LoadOptions& options_;
  ComparedClocks compared_;
  ShownView shown_;
  IndexedSegments indexed_;
  std::chrono::steady_clock::time_point composed_at_;
  std::uint64_t generation_ = 0;
};

}  // namespace tv

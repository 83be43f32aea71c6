// Loads files in the background and publishes views of them.
//
//   find paths -> probe, read (LoadFiles) -> segments (SegmentBuilder) -> view, index (ViewMaker) -> publish -> write the cache
//        └─ segments of earlier loads, other tabs and the cache (ReusedSegments), packed traces ─┘
//
// For a time window, the files are read twice, because its position is known only when all files have been read. If the data will
// not fit into memory, reading stops early and starts again rank by rank (rank_by_rank.h). If that is impossible, too_large()
// estimates what would fit. If memory runs out, or the limit is reached (memory_budget.h), nothing that was read is shown, and
// too_large() names the file.
//
// Views are published after 1/64 of the bytes, after 1/16 and 1/4 if that saves waiting, and at the end. Each costs about this
// share of the last view's work, so no incremental data structures are needed. When reading rank by rank, views are published
// between ranks.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/index/snapshot.h"
#include "core/io/archives/archive_file.h"
#include "core/io/files/file_state.h"
#include "core/session/files/load_files.h"
#include "core/session/files/load_options.h"
#include "core/session/files/memory_watch.h"
#include "core/session/files/too_large.h"
#include "core/session/follow/file_changes.h"
#include "core/session/held/held_segments.h"
#include "core/session/held/segment_store.h"
#include "core/session/load/packed_traces.h"
#include "core/session/load/reused_segments.h"
#include "core/session/load/segment_builder.h"
#include "core/session/load/view_maker.h"

namespace tv {

struct LoadStatus {
  enum class Stage : std::uint8_t { Finding, Waiting, Measuring, Reading, Building, Done, Cancelled };
  Stage stage = Stage::Done;
  std::uint64_t bytes_done = 0, bytes_total = 0;  ///< on disk
  std::size_t files_done = 0, files_total = 0;
  double seconds = 0;  ///< since the start; stops at the end of the load

  bool running() const { return stage < Stage::Done; }
  double bytes_per_second() const { return seconds > 0 ? static_cast<double>(bytes_done) / seconds : 0; }
  /// Seconds still needed at the present rate; negative while unknown.
  double seconds_left() const;
};

/// Seconds from the start to the end of each stage, for the last view; 0 = not yet.
struct LoadTimes {
  double first_view = 0;
  double found = 0, read = 0, built = 0, indexed = 0;
  double cached = 0;        ///< when the cache entries were written
  bool nothing_read = false;  ///< all segments were reused, cached or packed
};

class LoadJob {
 public:
  /// Starts at once. `publish` is called on the job's thread. `earlier`: what an earlier job left, to be reused.
  LoadJob(std::vector<std::string> paths, ThreadPool& pool, LoadOptions options,
          std::function<void(std::shared_ptr<const Snapshot>)> publish, EarlierLoad earlier = {});
  /// Cancels and waits.
  ~LoadJob();

  void cancel() { thread_.request_stop(); }
  void wait() {
    if (thread_.joinable()) thread_.join();
  }
  LoadStatus status() const;
  /// Null if everything fits into memory.
  std::shared_ptr<const TooLarge> too_large() const { return memory_.too_large(); }
  /// After wait().
  const LoadTimes& times() const { return times_; }
  /// After wait(), if files are followed: the states of the files just before they were read. None if the job ended before it
  /// knew them.
  std::optional<ReadStates> read_states() const { return found_ ? std::optional(read_states_) : std::nullopt; }
  /// What the next job can reuse: the segments of the last view. Until this view is published, what the constructor was given.
  EarlierLoad left() const {
    const std::lock_guard lock(left_mutex_);
    return left_;
  }

 private:
  void run(std::stop_token stop);
  bool load(std::stop_token stop);

  // ---- what is open, and what need not be read
  void find();
  SegmentStore::Reading share(std::stop_token stop);
  void open_packed_traces();
  void reuse(const std::string& choice);
  void probe(std::stop_token stop);
  void reuse_logs();
  std::string logs_key(const Segments& read) const;

  // ---- reading
  void read(LoadFiles::Pass pass, std::stop_token stop);
  void measure_window(std::stop_token stop);
  bool can_read_rank_by_rank() const;
  void read_rank_by_rank(std::stop_token stop);
  void read_rank(const std::vector<LoadSource*>& files, std::stop_token stop);

  // ---- views
  void publish_on_the_way(std::stop_token stop, const std::atomic<std::size_t>& readers_left);
  void place(std::vector<SourceView>& views) const;
  bool publish_read(bool complete, std::stop_token stop);
  bool publish_nothing(std::stop_token stop);
  bool publish(const Segments& read, bool complete, std::stop_token stop);

  // ---- for the next load
  void leave_segments();
  bool write_cache(std::stop_token stop);  // whether any entry was written
  std::vector<std::string> entries_in_use() const;

  double seconds() const { return seconds_at(std::chrono::steady_clock::now()); }
  double seconds_at(std::chrono::steady_clock::time_point time) const { return std::chrono::duration<double>(time - begin_).count(); }

  std::vector<std::string> paths_;
  ThreadPool& pool_;
  LoadOptions options_;
  std::function<void(std::shared_ptr<const Snapshot>)> publish_;

  std::vector<std::shared_ptr<const ArchiveFile>> archives_;  // stay open while their members are read
  MemoryWatch memory_;
  LoadFiles files_;
  PackedTraces packed_;
  ReusedSegments reused_;
  SegmentBuilder builder_;
  ViewMaker views_;
  FilesByPath earlier_states_;        // of the files when an earlier load read them; empty after find()
  ReadStates read_states_;
  bool found_ = false;                // read_states_ cover all open files
  Align measured_ = Align::Recorded;  // how runs were aligned when the window was measured
  Segments read_;                     // the last view's segments that were read
  mutable std::mutex left_mutex_;
  EarlierLoad left_;
  std::atomic<LoadStatus::Stage> stage_ = LoadStatus::Stage::Finding;
  std::atomic<std::size_t> files_total_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<double> final_seconds_ = 0;
  std::atomic<std::uint64_t> final_bytes_ = 0;
  LoadTimes times_;      // written by the job's thread
  std::jthread thread_;  // last: it uses everything above
};

/// Loads and waits, for headless work and tests. Never null.
std::shared_ptr<const Snapshot> load_snapshot(const std::vector<std::string>& paths, ThreadPool& pool,
                                              const LoadOptions& options = {});

}  // namespace tv

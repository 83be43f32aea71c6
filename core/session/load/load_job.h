// Loads files in the background: finds them, recognises them, reads them in parallel, and publishes intermediate snapshots.
//
//   find paths -> probe -> read (a few files at once, their chunks on the pool) -> segments -> view -> index -> publish -> keep
//        └────── what an earlier load read (held_segments.h, segment_cache.h), and packed traces: as they are ──┘
//
// If only a time window is wanted, the files are read twice, because its position is known only when all have been read. If the
// data will not fit into memory, reading stops early and starts again rank by rank: each rank is written to the cache and mapped
// when it is done (load_job_parts.cpp). If that is impossible, too_large() estimates what would fit. If memory runs out,
// or the limit is reached (memory_budget.h), none of the data is shown, and too_large() names the file.
//
// A first view is published after 1/64 of the bytes, others after 1/16 and 1/4 if that saves waiting, the last at the end. Each
// costs about that share of the last one's work, so no incremental data structures are needed. When reading rank by rank, views
// are published between ranks. A failure of one file affects only that file.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/index/snapshot.h"
#include "core/io/archives/archive_file.h"
#include "core/io/files/file_state.h"
#include "core/read/reader.h"
#include "core/session/follow/file_changes.h"
#include "core/session/held/held_segments.h"
#include "core/session/held/index_cache.h"
#include "core/session/held/segment_store.h"
#include "core/session/load/beside_logs.h"
#include "core/session/load/load_source.h"
#include "core/session/load/memory_watch.h"
#include "core/session/load/packed_traces.h"
#include "core/session/load/segment_groups.h"
#include "core/session/load/too_large.h"
#include "core/store/draft/source_draft.h"
#include "core/store/segments/read_settings.h"

namespace tv {

struct PackedSegment;

struct LoadOptions : ReadSettings {
  std::size_t chunk_bytes = 0;  ///< bytes parsed at a time; 0 = by the size of the file
  bool progressive = true;  ///< publish intermediate views, not only the last
  double patience = 2;      ///< seconds left that justify a view at 1/16, or at 1/64 with reused segments; at 1/4 five times that
  CacheOptions cache = {};
  ReadTools tools = {};
  bool stays = false;   ///< data that does not fit into memory is not published: the old view, which shows everything open, stays
  bool follow = false;  ///< files are being written: unfinished last lines wait, and nothing is cached
  std::shared_ptr<const FilesByPath> seen = {};  ///< a follower's file states, if the file system reports late (find_files.h)
  std::shared_ptr<SegmentStore> store = {};  ///< segments of other tabs: not read again, unless files are followed
  bool hold_logs = false;  ///< pass data read from logs on to the next job, if they are small; when following, of any size
  bool check_packed = false;  ///< check packed traces first, as all of their contents will be read
  bool again = false;  ///< read everything again if nothing has changed since an earlier load
  bool align_by_barriers = false;  ///< not used by LoadJob: the caller loads again with the offsets that barrier_clock.h proposes
  std::uint64_t memory_limit = 0;  ///< bytes; 0 = nine tenths of available memory
};

struct LoadStatus {
  enum class Stage : std::uint8_t { Finding, Waiting, Measuring, Reading, Building, Done, Cancelled };
  Stage stage = Stage::Done;
  std::uint64_t bytes_done = 0, bytes_total = 0;  ///< on disk
  std::size_t files_done = 0, files_total = 0;
  double seconds = 0;  ///< since the start; constant once done

  bool running() const { return stage < Stage::Done; }
  double bytes_per_second() const { return seconds > 0 ? static_cast<double>(bytes_done) / seconds : 0; }
  /// Seconds still needed at the present rate; negative while unknown.
  double seconds_left() const;
};

/// Seconds from the start to the end of each stage of the last view; 0 = not yet.
struct LoadTimes {
  double first_view = 0;
  double found = 0, read = 0, built = 0, indexed = 0;
  double cached = 0;        ///< when the cache entries were written
  bool nothing_read = false;  ///< nothing was read: all segments were reused, cached or packed
};

class LoadJob {
 public:
  /// Starts at once. `publish` is called from the job's thread. Data that an earlier job left (`earlier`) need not be read again.
  LoadJob(std::vector<std::string> paths, ThreadPool& pool, LoadOptions options,
          std::function<void(std::shared_ptr<const Snapshot>)> publish, EarlierLoad earlier = {});
  /// Cancels and waits.
  ~LoadJob();

  void cancel() { thread_.request_stop(); }
  void wait() {
    if (thread_.joinable()) thread_.join();
  }
  LoadStatus status() const;
  /// Null when everything fitted into memory.
  std::shared_ptr<const TooLarge> too_large() const { return memory_.too_large(); }
  /// After wait().
  const LoadTimes& times() const { return times_; }
  /// After wait(), if files are followed: the states just before the files were read. None if the job ended before it knew them.
  std::optional<ReadStates> read_states() const { return found_ ? std::optional(read_states_) : std::nullopt; }
  /// What the next job can reuse: the segments of the last view; until that is published, those passed to the constructor.
  EarlierLoad left() const {
    const std::lock_guard lock(left_mutex_);
    return left_;
  }

 private:
  void run(std::stop_token stop);
  bool load(std::stop_token stop);
  bool publish_nothing(std::stop_token stop);
  void note_unknown();
  bool is_another(const std::string& path) const;
  bool keeps_files() const;
  bool keeps_logs() const;
  void take_files();
  SourceView view_of(LoadSource& source, bool complete);
  void find();
  SegmentStore::Reading share(std::stop_token stop);
  void open_packed_traces();
  void list_given_packed();
  Result<PackedSegment> packed_segment(const SourceInfo& info);
  void reuse(const std::string& choice);
  void take_kept(const std::string& choice);
  void take_kept_logs();
  void give_up_kept(std::size_t from);
  void read_anew();
  void leave_out(LoadSource& source, std::string reason);
  bool anything_to_read() const;
  std::uint64_t kept_bytes() const;
  void remember_indices(const Snapshot& snapshot, const Segments& read);
  void leave_segments();
  void place(std::vector<SourceView>& views) const;
  std::vector<TimedFile> known_beside(const Segments& read) const;
  std::vector<OtherRollout> other_rollouts() const;
  std::string logs_key(const Segments& read) const;
  std::vector<std::string> entries_in_use() const;
  void probe_all(std::stop_token stop);
  void count_bytes();
  void measure_window(std::stop_token stop);
  void set_filters();
  void read_all(std::stop_token stop);
  void read(LoadSource& source, std::stop_token stop);
  std::vector<std::vector<LoadSource*>> parts() const;
  bool can_read_in_parts() const;
  void find_parts(const std::string& choice);
  bool keep_parts(std::stop_token stop);
  void read_in_parts(std::stop_token stop);
  void read_part(const std::vector<LoadSource*>& part, std::stop_token stop);
  void publish_parts(std::size_t first, std::stop_token stop);
  std::uint64_t bytes_expected() const;
  bool by_contents() const;
  bool wanted(const SourceInfo& info) const;
  void publish_on_the_way(std::stop_token stop, const std::atomic<std::size_t>& readers_left);
  bool publish_read(bool complete, std::stop_token stop);
  Segments build_groups(std::vector<SourceView> views, bool complete, std::stop_token stop);
  struct Arranged {
    Segments segments;
    std::vector<Ns> manual_offsets;  // by how much the user moved each since it was read
  };
  Arranged arranged(const Segments& read) const;
  bool publish(Segments read, bool complete, std::stop_token stop);
  std::string segment_choice() const;
  std::uint64_t sum_of(std::atomic<std::uint64_t> ReadProgress::* measure) const;
  double seconds() const;
  std::size_t chunk_bytes(const LoadSource& source) const;

  std::vector<std::string> paths_;
  ThreadPool& pool_;
  LoadOptions options_;
  std::function<void(std::shared_ptr<const Snapshot>)> publish_;

  std::vector<std::shared_ptr<const ArchiveFile>> archives_;  // their members are opened during the load
  LoadSources sources_;   // files to be read; complete before Reading begins
  PackedTraces packed_;   // packed traces, which are not read
  MemoryWatch memory_;
  ReadStates read_states_;
  Align measured_ = Align::Recorded;  // how runs were aligned when the window was measured
  bool found_ = false;                // read_states_ cover all open files
  EarlierLoad given_;                         // from an earlier job; segments also from other tabs and the cache
  ReadLogs files_;                        // for the next job
  std::vector<BuiltLogs> built_;           // for the next job
  ComparedClocks compared_;                // from an earlier job, then from the previous view
  ShownView shown_;                     // the last view
  std::map<std::string_view, const HeldSegment*> given_packed_;  // given packed segments, by path
  std::vector<ReusedSegment> reused_;        // the segments of given_ that are reused
  IndexedSegments indexed_;                // indexes of finished segments, for the next view
  mutable std::mutex left_mutex_;
  EarlierLoad left_;
  std::atomic<LoadStatus::Stage> stage_ = LoadStatus::Stage::Finding;
  std::atomic<std::uint64_t> bytes_total_ = 0, bytes_of_done_ = 0;
  std::atomic<std::size_t> files_done_ = 0, files_total_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<double> final_seconds_ = 0;
  std::atomic<std::uint64_t> final_bytes_ = 0;
  std::atomic<bool> sources_ready_ = false;
  std::uint64_t bytes_in_parts_ = 0;  // bytes of files that were read rank by rank
  std::uint64_t generation_ = 0;
  Segments read_;                            // all segments that were read
  LoadTimes times_;  // written by the job's thread
  std::jthread thread_;  // last: it uses everything above
};

/// Loads in the foreground: for headless work and tests. Never null.
std::shared_ptr<const Snapshot> load_snapshot(const std::vector<std::string>& paths, ThreadPool& pool,
                                              const LoadOptions& options = {});

}  // namespace tv

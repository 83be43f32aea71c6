// The open files: their paths, the running load, the newest snapshot, and the args of the current slice. Only the UI thread calls
// it, and nothing here ever waits for a file.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "core/base/result.h"
#include "core/base/threads/async_memo.h"
#include "core/base/threads/published.h"
#include "core/index/snapshot.h"
#include "core/session/follow/following.h"
#include "core/session/load/load_job.h"
#include "core/session/records/record_search.h"
#include "core/store/draft/arg_tree.h"

namespace tv {

class Session {
 public:
  /// `wake` is called on other threads when there is something new to draw.
  Session(ThreadPool& pool, std::function<void()> wake, LoadOptions options = {});
  ~Session();

  /// Opens these paths instead of the open ones; a running load is cancelled. With `add`, opens them in addition. Then only the
  /// new files are read, and files that depend on them (held_segments.h).
  /// `part`: loads only this part, also of the files that were open.
  void open(std::vector<std::string> paths, bool add = false, const std::optional<LoadChoice>& part = {});
  /// Reads files that have changed, and files that are read together with these. If none has changed, reads all files again.
  /// Ignores the cache.
  void reload();
  /// Starts or stops following the open files: new data in files and folders are read automatically, and the view stays.
  void follow(bool on);
  bool following() const { return following_ != nullptr; }
  /// Call once per frame if files are followed. `working`: the last data are still being analysed.
  void follow_up(double now_s, bool working = false);
  /// "Following 3 files, last change 2 s ago"; empty: nothing is followed.
  std::string follow_text() const;
  /// follow_text() reports that files have trouble (trouble_words()), or that the view is out of date.
  bool follow_troubled() const { return following_ && (following_->troubled() || following_->old()); }
  /// New data in followed files did not fit into memory, so the view still shows the old data. The next change starts a new try.
  bool is_old() const;
  /// The trouble_words() about files since the last call. Empty: none.
  std::string take_trouble() { return following_ ? following_->take_trouble() : std::string(); }
  /// Call once per frame. Reloads files that were found damaged since they were opened (known_damage.h). Then nothing of such a
  /// file is shown, and the error gives the position of the damage.
  void give_up_damaged();
  /// Looks for new data at once. When up_to_date() is true again, they are shown.
  void look_now() {
    if (following_) following_->look_now();
  }
  bool up_to_date() const { return !following_ || following_->up_to_date(); }
  /// Reads the open files again if these settings differ from the present ones; clock offsets are limited to thirty years. The
  /// old view stays until the new one is complete, unless another part is read. open() resets the part to that of the options,
  /// and without `add` resets all settings.
  void read_as(ReadSettings read);
  /// read_as() with one setting changed.
  template <class T>
  void read_with(T ReadSettings::* setting, std::type_identity_t<T> value) {
    ReadSettings read = read_;
    read.*setting = std::move(value);
    read_as(std::move(read));
  }
  void close();
  /// Closes these files. Those in an open folder are left out until they are opened again.
  void close_files(const std::set<std::string>& files);
  void cancel();

  /// The open files, to return to if the files opened instead have nothing to show.
  struct Opened {
    std::vector<std::string> paths;
    ReadSettings read;
    std::shared_ptr<const Snapshot> snapshot;
  };
  Opened opened() const { return {paths_, read_, snapshot()}; }
  void go_back_to(Opened opened);

  const std::vector<std::string>& paths() const { return paths_; }
  bool anything_open() const { return !paths_.empty(); }
  const ReadSettings& read() const { return read_; }
  /// Never null; an empty trace when nothing is open.
  std::shared_ptr<const Snapshot> snapshot() const { return snapshot_.load(); }
  LoadStatus status() const;
  /// A load is running that the user waits for: not one for new data in followed files.
  bool loading() const { return !quiet_ && status().running(); }
  /// Null if the open files fit into memory.
  std::shared_ptr<const TooLarge> too_large() const { return job_ ? job_->too_large() : nullptr; }
  /// Something is being loaded, decoded or searched.
  bool busy() const {
    return status().running() || args_.running() || (search_ && !search_->hits()->complete);
  }

  /// Starts searching the records of this snapshot's slices for a text; an empty text ends the search.
  void search_records(const Snapshot& snapshot, const std::string& text);
  /// The hits so far. Null if there is no search.
  std::shared_ptr<const RecordHits> record_hits() const { return search_ ? search_->hits() : nullptr; }

  struct Args {
    std::shared_ptr<const Result<ArgTree>> tree;  ///< null while the record is being decoded
  };
  /// The decoded record of a slice; call in each frame.
  Args args(const Snapshot& snapshot, SliceId slice);

 private:
  // How a load is started. The first three are as in LoadOptions.
  struct How {
    bool believe_cache = true, progressive = true, again = false;
    bool quiet = false;  ///< the user is not waiting for the result; if it turns out empty, the current view stays
  };
  void start() { start(How{}); }
  void start(const How& how);
  template <class Job>
  void retire(std::unique_ptr<Job> job);
  bool shows_all() const;
  std::uint64_t begin_load();
  void publish(std::uint64_t load, std::shared_ptr<const Snapshot> snapshot, bool quiet = false);

  struct ArgsKey {
    std::string path;
    std::uint64_t identity = 0;
    std::int64_t modified_ns = 0;
    bool operator==(const ArgsKey&) const = default;
  };

  ThreadPool& pool_;
  std::function<void()> wake_;
  const LoadOptions options_;
  std::vector<std::string> paths_;
  ReadSettings read_;
  Published<Snapshot> snapshot_;
  std::mutex publish_mutex_;  // so that a load publishes nothing once the next one has begun
  std::uint64_t load_ = 0;    // number of the last load
  AsyncMemo<ArgsKey, Result<ArgTree>> args_;
  std::unique_ptr<LoadJob> job_;
  bool quiet_ = false;  // How::quiet of the job
  std::uint64_t damage_seen_ = 0;
  std::unique_ptr<Following> following_;
  std::unique_ptr<RecordSearch> search_;
  struct Retiring {
    std::shared_ptr<std::atomic<bool>> ended;
    std::jthread thread;
  };
  std::vector<Retiring> retiring_;  // cancelled loads and searches, which end on threads of their own
};

/// A snapshot without data.
std::shared_ptr<const Snapshot> empty_snapshot(ThreadPool& pool);

}  // namespace tv

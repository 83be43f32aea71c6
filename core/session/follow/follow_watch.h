// Watches the open files and reports how they differ from those that were read: files that grew, are new in a folder,
// disappeared, or were truncated or replaced. It compares states, so no change is missed, even during a load. A thread sleeps
// until the system reports a change (folder_events.h). It also checks once or twice a second, because network file systems report
// nothing; after a slow check the next one comes later. Cost: file_states.h.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/io/files/file_states.h"
#include "core/io/files/folder_events.h"
#include "core/session/follow/file_changes.h"

namespace tv {

class FollowWatch {
 public:
  /// `wake` is called on another thread when the files begin or cease to differ from what was read, and at the time set by
  /// wake_in().
  explicit FollowWatch(std::function<void()> wake);
  ~FollowWatch();
  FollowWatch(const FollowWatch&) = delete;
  FollowWatch& operator=(const FollowWatch&) = delete;

  /// Watches these paths from now on. Reports no changes until read() or read_as_seen() is called.
  void watch(const std::vector<std::string>& paths);
  /// The files have been read in these states.
  void read(ReadStates states);
  /// Treats the states found by the next check as those that were read.
  void read_as_seen();
  struct Changes {
    std::uint64_t version = 0;  ///< increases with every change
    std::vector<ChangedFile> files;
    std::shared_ptr<const FilesByPath> seen;  ///< the states of all files on a network file system; otherwise null
  };
  Changes changes() const;
  std::uint64_t version() const { return version_.load(); }
  /// The states given to read() have been compared.
  bool compared() const;
  void wake_in(double seconds);
  /// Checks all files soon, and compares them with what was read. When this is done, looks() has reached the returned number.
  std::uint64_t look_now();
  std::uint64_t looks() const { return looks_.load(); }

 private:
  void run(const std::stop_token& stop);
  bool is_behind(const FileStates& states) const;
  bool compare(const FileStates& states);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::optional<std::vector<std::string>> paths_;  // the thread will watch these instead
  std::optional<ReadStates> read_;
  bool read_as_seen_ = false;
  bool compare_again_ = false;
  Changes changes_;
  std::atomic<std::uint64_t> version_ = 0;  // of changes_
  std::optional<std::chrono::steady_clock::time_point> wake_at_;
  std::uint64_t asked_looks_ = 0;
  std::atomic<std::uint64_t> looks_ = 0;
  FolderEvents events_;
  std::jthread thread_;  // last: it uses everything above
};

}  // namespace tv

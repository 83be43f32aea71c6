// Watches the open files and reports how they differ from those that were read: files that grew, are new in a folder, went, or
// were truncated or replaced. It compares states, so changes during a load, or before anyone looks, are never missed.
// A thread sleeps until the system tells of a change (folder_events.h), and looks by itself about once a second, as network file
// systems tell nothing (file_states.h says at what cost). A look that takes long makes the next one rarer.
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
  /// `wake` is called on another thread when something has changed since all was read, and when wake_in() says so.
  explicit FollowWatch(std::function<void()> wake);
  ~FollowWatch();
  FollowWatch(const FollowWatch&) = delete;
  FollowWatch& operator=(const FollowWatch&) = delete;

  /// From now on these; nothing has changed until read() is called.
  void watch(const std::vector<std::string>& paths);
  void read(ReadStates states);
  /// Counts as read whatever is there at the next look.
  void read_as_seen();
  struct Changes {
    std::uint64_t version = 0;  ///< rises with every change
    std::vector<ChangedFile> files;
    std::shared_ptr<const FilesByPath> seen;  ///< all of them, on a network file system
  };
  Changes changes() const;
  std::uint64_t version() const { return version_.load(); }
  /// The states given to read() have been compared.
  bool compared() const;
  void wake_in(double seconds);
  /// Checks everything, and compares it with the data read by now. When that is done, looks() reaches the returned number.
  std::uint64_t look_now();
  std::uint64_t looks() const { return looks_.load(); }

 private:
  void run(const std::stop_token& stop);
  bool is_behind(const FileStates& states) const;
  bool compare(const FileStates& states);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::optional<std::vector<std::string>> paths_;  // that are to be watched from now on
  std::optional<ReadStates> read_;
  bool read_as_seen_ = false;
  bool compare_again_ = false;
  Changes changes_;
  std::atomic<std::uint64_t> version_ = 0;  // version of changes_
  std::optional<std::chrono::steady_clock::time_point> wake_at_;
  std::uint64_t asked_looks_ = 0;
  std::atomic<std::uint64_t> looks_ = 0;
  FolderEvents events_;
  std::jthread thread_;  // last: it uses everything above
};

}  // namespace tv

// Tells which files and folders were just written, made, renamed or removed, as far as the system reports it (inotify; not on
// network file systems, and only for a limited number of folders). A caller that must be certain checks now and then. Without
// events a wait costs nothing. watch() and wait() are called by one thread, interrupt() by any.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace tv {

class FolderEvents {
 public:
  /// All: also what is still being written, and times and rights that were changed.
  enum class Tell : bool { All, Finished };
  explicit FolderEvents(Tell tell = Tell::All);
  ~FolderEvents();
  FolderEvents(const FolderEvents&) = delete;
  FolderEvents& operator=(const FolderEvents&) = delete;

  /// Folders, not those in them, and files. Others are watched no more.
  void watch(const std::vector<std::string>& places);
  bool watches_any() const { return !numbers_.empty(); }
  struct Events {
    std::vector<std::string> touched;  ///< paths, each once
    bool more = false;                 ///< some were lost: anything may have happened
  };
  /// At most so long; no longer than until something happens or interrupt() is called.
  Events wait(std::chrono::milliseconds longest);
  void interrupt();

 private:
  static constexpr std::size_t kMostWatched = 4096;

  const Tell tell_;
  int changes_ = -1, woken_ = -1;     // file descriptors; without them, woken_ = 1 means interrupted
  std::map<int, std::string> watched_;
  std::map<std::string, int> numbers_;
  std::mutex mutex_;                  // where the system tells nothing
  std::condition_variable condition_;
};

}  // namespace tv

// Reports files and folders that were just written, created, renamed or removed, as far as the system does (inotify; not on network
// file systems, and only for a limited number of folders). A caller that must be certain also polls now and then. Waiting costs
// nothing while there are no events. watch() and wait() are called by one thread, interrupt() by any.
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
  /// All: also files that are still being written, and changes of times and permissions.
  enum class Tell : bool { All, Finished };
  explicit FolderEvents(Tell tell = Tell::All);
  ~FolderEvents();
  FolderEvents(const FolderEvents&) = delete;
  FolderEvents& operator=(const FolderEvents&) = delete;

  /// Watches these files and folders, but not folders inside them. Replaces the places watched before.
  void watch(const std::vector<std::string>& places);
  bool watches_any() const { return !numbers_.empty(); }
  struct Events {
    std::vector<std::string> touched;  ///< paths, each once
    bool more = false;                 ///< events were lost: anything may have changed
  };
  /// Waits at most this long, until something happens or interrupt() is called.
  Events wait(std::chrono::milliseconds longest);
  void interrupt();

 private:
  static constexpr std::size_t kMostWatched = 4096;

  void wait_for_interrupt(std::chrono::milliseconds longest);
  void end_wait_for_interrupt();

  const Tell tell_;
  int changes_ = -1, woken_ = -1;  // file descriptors
  std::map<int, std::string> watched_;
  std::map<std::string, int> numbers_;
  std::mutex mutex_;
  std::condition_variable condition_;
  bool interrupted_ = false;  // for where the descriptors cannot be waited for
};

}  // namespace tv

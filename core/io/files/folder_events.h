// Reports files and folders that were just written, created, renamed or removed, as far as the system reports them (inotify; not on
// network file systems, and only for a limited number of folders). A caller that must miss nothing also polls now and then. Waiting
// costs nothing while there are no events. watch() and wait() are called by one thread, interrupt() by any.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tv {

/// How many folders a user's programs may watch together. None if the system does not say.
std::optional<std::uint64_t> most_watched_folders();

class FolderEvents {
 public:
  /// All: also files that are still being written, and changes of times and permissions.
  enum class Report : bool { All, Finished };
  explicit FolderEvents(Report report = Report::All);
  ~FolderEvents();
  FolderEvents(const FolderEvents&) = delete;
  FolderEvents& operator=(const FolderEvents&) = delete;

  /// Watches these files and folders, but not folders inside them. Replaces the places watched before.
  void watch(const std::vector<std::string>& places);
  bool watches_any() const { return !numbers_.empty(); }
  struct Events {
    std::vector<std::string> touched;  ///< paths, each once
    bool lost = false;                 ///< some events were lost: anything may have changed
  };
  /// Returns when there are events, when interrupt() is called, or after `longest`.
  Events wait(std::chrono::milliseconds longest);
  void interrupt();

 private:
  static constexpr std::size_t kMostWatched = 4096;

  void wait_for_interrupt(std::chrono::milliseconds longest);
  void end_wait_for_interrupt();

  const Report report_;
  int changes_ = -1, woken_ = -1;  // file descriptors
  std::map<int, std::set<std::string>> watched_;  // by the system's number: paths of one place, several if there are links
  std::map<std::string, int> numbers_;  // the same by place
  std::mutex mutex_;
  std::condition_variable condition_;
  bool interrupted_ = false;  // used if the descriptors cannot be waited for
};

}  // namespace tv

// Reports that something in a few folders was written, renamed or removed, so that edited files take effect at once. A thread
// sleeps until the system reports events (folder_events.h), so watching costs nothing while nothing changes. Folders are watched
// and not files, because editors replace files. Folders that do not exist yet are not watched. If the system cannot report events,
// nothing is watched.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "core/io/files/folder_events.h"

namespace tv {

class FolderWatch {
 public:
  /// `wake` is called on another thread after each change. take() then returns true.
  FolderWatch(const std::vector<std::string>& folders, std::function<void()> wake);
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  /// Whether something has changed since the last call.
  bool take() { return changed_.exchange(false); }

 private:
  void listen(const std::stop_token& stop, const std::function<void()>& wake);

  FolderEvents events_;
  std::atomic<bool> changed_ = false;
  std::jthread thread_;
};

}  // namespace tv

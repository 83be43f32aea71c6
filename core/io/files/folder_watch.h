// Tells that something in a few folders was written, renamed or removed, so that files which people edit count at once. A thread
// sleeps until the system says so (folder_events.h): without changes it costs nothing. Editors replace files instead of writing
// them, so folders are watched; those that are not there when this is made, and all of them where the system cannot say, are not.
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
  /// `wake` is called on another thread when there is something to take().
  FolderWatch(const std::vector<std::string>& folders, std::function<void()> wake);
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  /// Something was changed since the last call.
  bool take() { return changed_.exchange(false); }

 private:
  void listen(const std::stop_token& stop, const std::function<void()>& wake);

  FolderEvents events_;
  std::atomic<bool> changed_ = false;
  std::jthread thread_;
};

}  // namespace tv

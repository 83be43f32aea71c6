#include "core/io/files/folder_watch.h"

#ifdef __linux__
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#endif

namespace tv {

#ifdef __linux__

FolderWatch::FolderWatch(const std::vector<std::string>& folders, std::function<void()> wake) {
  changes_ = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  end_ = ::eventfd(0, EFD_CLOEXEC);
  bool any = false;
  for (const std::string& folder : folders) {
    if (changes_ < 0 || folder.empty()) continue;
    any |= ::inotify_add_watch(changes_, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE) >= 0;
  }
  if (any && end_ >= 0) thread_ = std::thread([this, wake = std::move(wake)] { listen(wake); });
}

FolderWatch::~FolderWatch() {
  const std::uint64_t one = 1;
  if (thread_.joinable()) {
    while (::write(end_, &one, sizeof(one)) < 0 && errno == EINTR) {
    }
    thread_.join();
  }
  if (changes_ >= 0) ::close(changes_);
  if (end_ >= 0) ::close(end_);
}

void FolderWatch::listen(const std::function<void()>& wake) {
  pollfd waits[] = {{changes_, POLLIN, 0}, {end_, POLLIN, 0}};
  while (true) {
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) return;
    if (waits[1].revents != 0) return;
    // What has changed is not looked at: whoever asks compares the files.
    char events[4096];
    bool any = false;
    while (::read(changes_, events, sizeof(events)) > 0) any = true;
    if (!any) continue;
    changed_ = true;
    if (wake) wake();
  }
}

#else

FolderWatch::FolderWatch(const std::vector<std::string>&, std::function<void()>) {}
FolderWatch::~FolderWatch() = default;
void FolderWatch::listen(const std::function<void()>&) {}

#endif

}  // namespace tv

#include "core/io/files/folder_events.h"

#ifdef __linux__
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#endif

#include <algorithm>
#include <fstream>
#include <set>

namespace tv {

std::optional<std::uint64_t> most_watched_folders() {
  std::uint64_t most = 0;
  if (std::ifstream("/proc/sys/fs/inotify/max_user_watches") >> most) return most;
  return std::nullopt;
}

#ifdef __linux__

FolderEvents::FolderEvents(Report report)
    : report_(report), changes_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)), woken_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

FolderEvents::~FolderEvents() {
  if (changes_ >= 0) ::close(changes_);
  if (woken_ >= 0) ::close(woken_);
}

void FolderEvents::watch(const std::vector<std::string>& places) {
  if (changes_ < 0) return;
  const std::set<std::string> wanted(places.begin(), places.end());
  std::erase_if(numbers_, [&](const auto& place) {
    if (wanted.contains(place.first)) return false;
    std::set<std::string>& paths = watched_[place.second];
    paths.erase(place.first);
    if (paths.empty()) {
      ::inotify_rm_watch(changes_, place.second);
      watched_.erase(place.second);
    }
    return true;
  });
  for (const std::string& place : wanted) {
    if (place.empty() || numbers_.contains(place)) continue;
    if (numbers_.size() >= kMostWatched) return;
    constexpr std::uint32_t kFinished = IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;
    constexpr std::uint32_t kAll = kFinished | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF;
    const int number = ::inotify_add_watch(changes_, place.c_str(), report_ == Report::All ? kAll : kFinished);
    if (number < 0) continue;
    watched_[number].insert(place);
    numbers_[place] = number;
  }
}

FolderEvents::Events FolderEvents::wait(std::chrono::milliseconds longest) {
  pollfd waits[] = {{changes_, POLLIN, 0}, {woken_, POLLIN, 0}};
  const bool waited = woken_ >= 0 && (::poll(waits, 2, static_cast<int>(longest.count())) >= 0 || errno == EINTR);
  // Callers call wait() again at once, so a poll() that keeps failing would keep a processor busy.
  if (!waited) wait_for_interrupt(std::min<std::chrono::milliseconds>(longest, std::chrono::seconds(1)));
  std::uint64_t count = 0;
  if (woken_ >= 0 && ::read(woken_, &count, sizeof(count)) < 0) count = 0;  // nothing to read
  Events out;
  std::set<std::string> touched;
  alignas(inotify_event) char events[16 << 10];
  while (changes_ >= 0) {
    const ssize_t bytes = ::read(changes_, events, sizeof(events));
    if (bytes <= 0) break;
    for (ssize_t at = 0; at < bytes;) {
      inotify_event event{};
      std::memcpy(&event, events + at, sizeof(event));
      const char* const name = events + at + sizeof(event);
      at += static_cast<ssize_t>(sizeof(event) + event.len);
      out.lost |= (event.mask & IN_Q_OVERFLOW) != 0;
      const auto places = watched_.find(event.wd);
      if (places == watched_.end()) continue;
      for (const std::string& place : places->second) touched.insert(event.len > 0 ? place + "/" + name : place);
      // The path now belongs to another file or to none: watch() watches whatever appears there next.
      if ((event.mask & (IN_MOVE_SELF | IN_DELETE_SELF)) != 0) ::inotify_rm_watch(changes_, event.wd);
      if ((event.mask & (IN_IGNORED | IN_MOVE_SELF | IN_DELETE_SELF)) != 0) {
        for (const std::string& place : places->second) numbers_.erase(place);
        watched_.erase(places);
      }
    }
  }
  out.touched.assign(touched.begin(), touched.end());
  return out;
}

void FolderEvents::interrupt() {
  const std::uint64_t one = 1;
  while (woken_ >= 0 && ::write(woken_, &one, sizeof(one)) < 0 && errno == EINTR) {
  }
  end_wait_for_interrupt();
}

#else

FolderEvents::FolderEvents(Report report) : report_(report) {}
FolderEvents::~FolderEvents() = default;
void FolderEvents::watch(const std::vector<std::string>&) {}

FolderEvents::Events FolderEvents::wait(std::chrono::milliseconds longest) {
  wait_for_interrupt(longest);
  return {};
}

void FolderEvents::interrupt() { end_wait_for_interrupt(); }

#endif

void FolderEvents::wait_for_interrupt(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  condition_.wait_for(lock, longest, [&] { return interrupted_; });
  interrupted_ = false;
}

void FolderEvents::end_wait_for_interrupt() {
  const std::lock_guard lock(mutex_);
  interrupted_ = true;
  condition_.notify_all();
}

}  // namespace tv

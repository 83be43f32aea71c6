#include "core/io/files/folder_watch.h"

#include <utility>

namespace tv {

FolderWatch::FolderWatch(const std::vector<std::string>& folders, std::function<void()> wake) : events_(FolderEvents::Report::Finished) {
  events_.watch(folders);
  if (events_.watches_any()) thread_ = std::jthread([this, wake = std::move(wake)](const std::stop_token& stop) { listen(stop, wake); });
}

FolderWatch::~FolderWatch() {
  thread_.request_stop();
  events_.interrupt();
}

void FolderWatch::listen(const std::stop_token& stop, const std::function<void()>& wake) {
  constexpr std::chrono::hours kLong(24);
  while (!stop.stop_requested()) {
    const FolderEvents::Events events = events_.wait(kLong);
    if (stop.stop_requested() || (events.touched.empty() && !events.lost)) continue;
    changed_ = true;
    if (wake) wake();
  }
}

}  // namespace tv

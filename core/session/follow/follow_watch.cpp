#include "core/session/follow/follow_watch.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace tv {
namespace {

using WatchClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLookEvery(1000), kAskEvery(500), kLeastBetween(50);
// Pauses, in durations of a check:
constexpr int kRestOfLook = 20;  // so that checks take at most a twentieth of one thread
constexpr int kRestOfWait = 2;   // when checks wait for a server; only they find changes there

}  // namespace

FollowWatch::FollowWatch(std::function<void()> wake) : wake_(std::move(wake)) {
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  } catch (const std::system_error&) {
    // The system gives no more threads: nothing is followed.
  }
}

FollowWatch::~FollowWatch() {
  thread_.request_stop();
  events_.interrupt();
}

void FollowWatch::watch(const std::vector<std::string>& paths) {
  const std::lock_guard lock(mutex_);
  paths_ = paths;
  read_.reset();
  read_as_seen_ = false;
  changes_.files.clear();
  changes_.seen.reset();
  events_.interrupt();
}

void FollowWatch::read(ReadStates states) {
  const std::lock_guard lock(mutex_);
  read_ = std::move(states);
  read_as_seen_ = false;
  compare_again_ = true;
  events_.interrupt();
}

void FollowWatch::read_as_seen() {
  const std::lock_guard lock(mutex_);
  read_as_seen_ = compare_again_ = true;
  events_.interrupt();
}

FollowWatch::Changes FollowWatch::changes() const {
  const std::lock_guard lock(mutex_);
  return changes_;
}

bool FollowWatch::compared() const {
  const std::lock_guard lock(mutex_);
  return !compare_again_;
}

void FollowWatch::wake_in(double seconds) {
  const auto at = WatchClock::now() + std::chrono::duration_cast<WatchClock::duration>(std::chrono::duration<double>(seconds));
  const std::lock_guard lock(mutex_);
  if (wake_at_ && *wake_at_ <= at) return;
  wake_at_ = at;
  events_.interrupt();
}

std::uint64_t FollowWatch::look_now() {
  const std::lock_guard lock(mutex_);
  events_.interrupt();
  return ++asked_looks_;
}

// Whether `states` differ from those that the last load read. The load may have read newer states, which is not a change.
bool FollowWatch::is_behind(const FileStates& states) const {
  const std::lock_guard lock(mutex_);
  return compare_again_ && read_ && !paths_ && !changes_since(*read_, states.files()).empty();
}

// True if the owner must be woken: the list of changes became non-empty or empty. Further changes need no wake-up, because the
// owner sees them when it reads the first one.
bool FollowWatch::compare(const FileStates& states) {
  if (std::exchange(read_as_seen_, false)) {
    if (!read_) read_.emplace();
    read_->files = states.files();
  }
  if (!read_) return false;
  std::vector<ChangedFile> files = changes_since(*read_, states.files());
  note_unreadable(files);
  // The same list of files still gets a new version, because a file in it may have grown further.
  if (files.empty() && changes_.files.empty()) return false;
  const bool wakes = files.empty() || changes_.files.empty();
  changes_.files = std::move(files);
  if (states.asks_server()) changes_.seen = std::make_shared<const FilesByPath>(states.files());
  version_ = ++changes_.version;
  return wakes;
}

void FollowWatch::run(const std::stop_token& stop) {
  FileStates states({});
  WatchClock::time_point next_look = WatchClock::now() + kLookEvery;
  while (!stop.stop_requested()) {
    WatchClock::time_point until = next_look;
    {
      const std::lock_guard lock(mutex_);
      if (wake_at_) until = std::min(until, *wake_at_);
    }
    const WatchClock::time_point before = WatchClock::now();
    const auto longest = std::chrono::ceil<milliseconds>(until - before);
    const FolderEvents::Events events = events_.wait(std::max(longest, milliseconds(0)));
    if (stop.stop_requested()) return;
    std::optional<std::vector<std::string>> paths;
    std::uint64_t asked = 0;
    {
      const std::lock_guard lock(mutex_);
      paths = std::exchange(paths_, std::nullopt);
      asked = asked_looks_;
    }
    const WatchClock::time_point begin = WatchClock::now();
    bool changed = false;
    if (paths) states = FileStates(*paths);
    if (paths || events.lost || asked != looks_) {
      changed = states.look_at_all();
    } else if (begin >= next_look) {
      changed = states.refresh();
    }
    changed |= states.look_at(events.touched);
    if (is_behind(states)) changed |= states.look_at_all();
    if (changed || begin >= next_look) events_.watch(states.places());
    if (begin >= next_look) {
      const WatchClock::time_point end = WatchClock::now();
      const bool asks = states.asks_server();
      next_look = end + std::max<WatchClock::duration>(asks ? kAskEvery : kLookEvery, (asks ? kRestOfWait : kRestOfLook) * (end - begin));
    }
    bool wakes = false;
    {
      const std::lock_guard lock(mutex_);
      if ((changed || compare_again_) && !paths_) wakes = compare(states);
      compare_again_ = compare_again_ && paths_.has_value();
      if (wake_at_ && *wake_at_ <= WatchClock::now()) {
        wake_at_.reset();
        wakes = true;
      }
      looks_ = asked;
    }
    if (wakes && wake_) wake_();
    // Do not check once per line of a file that is written all the time.
    if (!events.touched.empty()) std::this_thread::sleep_for(kLeastBetween);
  }
}

}  // namespace tv

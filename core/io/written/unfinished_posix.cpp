#include "core/io/written/unfinished.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace tv {
namespace {

constexpr int kExitInterrupted = 130;

enum class EntryState { Free, Changing, Processes, File, Folder };

// Entries are never freed, because the handler may walk the list while other threads work.
struct Entry {
  std::atomic<EntryState> state = EntryState::Free;
  std::array<char, 4096> path{};
  Entry* next = nullptr;
};

// The number of AllOrNone objects, and two flags. kEndWanted: a signal came while there were some. kEndBegun: a thread is ending
// the program. One word holds all three, because the handler can interrupt any change.
using EndState = std::uint32_t;
constexpr EndState kEndBegun = 1u << 31, kEndWanted = 1u << 30;

std::atomic<Entry*> entries = nullptr;
std::atomic<EndState> ending = 0;
static_assert(std::atomic<Entry*>::is_always_lock_free && std::atomic<EndState>::is_always_lock_free &&
              std::atomic<EntryState>::is_always_lock_free);

// Another thread is ending the program.
void wait_for_the_end() {
  for (;;) ::pause();
}

int end_processes(const char* group) {
  pid_t number = 0;
  for (; *group; ++group) number = number * 10 + (*group - '0');
  return ::kill(-number, SIGKILL);
}

EntryState state_of(Unfinished::Kind kind) {
  switch (kind) {
    case Unfinished::Kind::Processes: return EntryState::Processes;
    case Unfinished::Kind::File: return EntryState::File;
    case Unfinished::Kind::Folder: return EntryState::Folder;
  }
  return EntryState::Free;
}

// First ends the processes that write, then removes files, then folders until none can be removed.
void remove_all() {
  const auto each = [](EntryState kind, int (*removed)(const char*)) {
    bool any = false;
    for (Entry* entry = entries; entry; entry = entry->next) {
      if (entry->state == kind) any |= removed(entry->path.data()) == 0;
    }
    return any;
  };
  each(EntryState::Processes, end_processes);
  each(EntryState::File, ::unlink);
  while (each(EntryState::Folder, ::rmdir)) {
  }
}

[[noreturn]] void end_now(std::string_view message = "traceview: interrupted\n", int exit = kExitInterrupted) {
  remove_all();
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(exit);
}

void on_signal(int) {
  EndState now = ending, next = 0;
  do {
    if ((now & kEndBegun) != 0) return;
    next = now == 0 ? kEndBegun : now | kEndWanted;
  } while (!ending.compare_exchange_weak(now, next));
  if (next == kEndBegun) end_now();
}

Entry* free_entry() {
  for (Entry* entry = entries; entry; entry = entry->next) {
    EntryState is = EntryState::Free;
    if (entry->state.compare_exchange_strong(is, EntryState::Changing)) return entry;
  }
  auto* const made = new Entry;
  made->state = EntryState::Changing;
  made->next = entries;
  while (!entries.compare_exchange_weak(made->next, made)) {
  }
  return made;
}

}  // namespace

void Unfinished::begin(const std::string& path, Kind kind) {
  Entry* const entry = free_entry();
  if ((ending & kEndBegun) != 0) wait_for_the_end();  // before the path changes, because the handler may be reading it
  if (path.size() >= entry->path.size()) {
    entry->state = EntryState::Free;
    return;
  }
  std::memcpy(entry->path.data(), path.c_str(), path.size() + 1);
  entry->state = state_of(kind);
  entry_ = entry;
}

Unfinished::Unfinished(Unfinished&& other) noexcept : entry_(std::exchange(other.entry_, nullptr)) {}

void Unfinished::forget() {
  if (entry_) static_cast<Entry*>(entry_)->state = EntryState::Free;
  entry_ = nullptr;
}

AllOrNone::AllOrNone() {
  EndState now = ending;
  do {
    if ((now & kEndBegun) != 0) wait_for_the_end();
  } while (!ending.compare_exchange_weak(now, now + 1));
}

AllOrNone::~AllOrNone() {
  EndState now = ending, next = 0;
  do {
    if ((now & kEndBegun) != 0) return;  // end_cleanly() does not wait for this object
    next = now == (kEndWanted | 1) ? kEndBegun : now - 1;
  } while (!ending.compare_exchange_weak(now, next));
  if (next == kEndBegun) end_now();
}

void end_cleanly(std::string_view message, int exit) {
  if ((ending.exchange(kEndBegun) & kEndBegun) != 0) wait_for_the_end();
  end_now(message, exit);
}

void end_cleanly_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {}, action {};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace tv

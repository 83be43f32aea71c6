#include "core/io/written/unfinished.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <string_view>
#include <utility>

namespace tv {
namespace {

constexpr int kExitInterrupted = 130;

enum class EntryState { Free, Changing, Processes, File, Folder };

// Never freed: the handler may walk the list while other threads work.
struct Entry {
  std::atomic<EntryState> state = EntryState::Free;
  std::array<char, 4096> path{};
  Entry* next = nullptr;
};

enum class Ending { No, Held, HeldAndWanted, Now };

std::atomic<Entry*> entries = nullptr;
std::atomic<Ending> ending = Ending::No;
static_assert(std::atomic<Entry*>::is_always_lock_free && std::atomic<Ending>::is_always_lock_free &&
              std::atomic<EntryState>::is_always_lock_free);

// The program is being ended by another thread.
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

// First ends the processes that write, then removes files, then folders until no more can be removed.
void remove_all() {
  const auto each = [](EntryState kind, int (*removed)(const char*)) {
    bool some = false;
    for (Entry* entry = entries; entry; entry = entry->next) {
      if (entry->state == kind) some |= removed(entry->path.data()) == 0;
    }
    return some;
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
  Ending now = Ending::No;
  if (ending.compare_exchange_strong(now, Ending::Now)) end_now();
  if (now == Ending::Held) ending.compare_exchange_strong(now, Ending::HeldAndWanted);
  // AllOrNone was released between the two exchanges.
  if (now == Ending::No && ending.compare_exchange_strong(now, Ending::Now)) end_now();
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
  if (ending == Ending::Now) wait_for_the_end();  // before the path changes, which the handler may be reading
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
  Ending now = Ending::No;
  if (!ending.compare_exchange_strong(now, Ending::Held) && now == Ending::Now) wait_for_the_end();
}

AllOrNone::~AllOrNone() {
  Ending now = Ending::Held;
  if (ending.compare_exchange_strong(now, Ending::No)) return;
  if (now == Ending::HeldAndWanted && ending.compare_exchange_strong(now, Ending::Now)) end_now();
}

void end_cleanly(std::string_view message, int exit) {
  if (ending.exchange(Ending::Now) == Ending::Now) wait_for_the_end();
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

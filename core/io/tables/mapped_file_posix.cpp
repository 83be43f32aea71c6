#include "core/io/tables/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>

namespace tv {
namespace {

// One mapping. These are never freed, as the signal's handler may look at them at any time; they are used again.
struct Mapping {
  std::atomic<std::uintptr_t> begin = 0, end = 0;  // end is set last and cleared first
  std::atomic<bool> cut = false;
  std::string path;  // read and written under the mutex
  bool used = false;
  Mapping* next = nullptr;
};

constinit std::atomic<Mapping*> first_mapping = nullptr;
constinit std::atomic<bool> any_cut = false;  // since they were taken last: frames ask, and there may be thousands of mappings
constinit std::mutex mappings_mutex;

constexpr std::uintptr_t kAtOnce = 2 << 20;  // bytes: a file may lack millions of pages

Mapping* mapping_of(std::uintptr_t address) {
  for (Mapping* at = first_mapping.load(std::memory_order_acquire); at; at = at->next) {
    if (address < at->end.load(std::memory_order_acquire) && address >= at->begin.load(std::memory_order_relaxed)) return at;
  }
  return nullptr;
}

// Zeros in the place of what cannot be had; then reading goes on.
void put_zeros(int signal, siginfo_t* info, void*) {
  const int before = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  Mapping* const mapping = mapping_of(address);
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = address / page * page;
  bool done = false;
  if (mapping) {
    const std::uintptr_t end = (mapping->end.load() + page - 1) / page * page;
    const std::uintptr_t bytes = end - first < kAtOnce ? end - first : kAtOnce;
    done = ::mmap(reinterpret_cast<void*>(first), bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
    mapping->cut = true;
    any_cut = true;
  }
  if (!done) (void)::signal(signal, SIG_DFL);  // somebody else's: it comes again, and ends the program
  errno = before;
}

void listen() {
  static const bool listening = [] {
    struct sigaction action {};
    action.sa_sigaction = put_zeros;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    return ::sigaction(SIGBUS, &action, nullptr) == 0;
  }();
  (void)listening;
}

Mapping* remember(const std::string& path, void* begin, std::size_t bytes) {
  const std::lock_guard lock(mappings_mutex);
  Mapping* mapping = first_mapping.load();
  while (mapping && mapping->used) mapping = mapping->next;
  const bool is_new = !mapping;
  if (is_new) mapping = new Mapping;
  mapping->path = path;
  mapping->used = true;
  mapping->cut = false;
  mapping->begin = reinterpret_cast<std::uintptr_t>(begin);
  mapping->end.store(reinterpret_cast<std::uintptr_t>(begin) + bytes, std::memory_order_release);
  if (!is_new) return mapping;
  mapping->next = first_mapping.load();
  first_mapping.store(mapping, std::memory_order_release);
  return mapping;
}

void forget(Mapping* mapping) {
  const std::lock_guard lock(mappings_mutex);
  mapping->end = 0;
  mapping->used = false;
}

}  // namespace

Result<std::shared_ptr<std::byte>> map_file(const std::string& path, std::size_t bytes) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Error{std::string("cannot open: ") + std::strerror(errno), path, {}, {}, true};
  struct stat status {};
  const bool whole = ::fstat(descriptor, &status) == 0 && static_cast<std::uint64_t>(status.st_size) >= bytes;
  void* const p = whole && bytes > 0 ? ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0) : MAP_FAILED;
  ::close(descriptor);
  if (!whole) return Error{"the file is shorter than it was", path, {}, {}};
  if (p == MAP_FAILED) return Error{std::string("cannot map: ") + std::strerror(errno), path, {}, {}, true};
  (void)::madvise(p, bytes, MADV_RANDOM);
  listen();
  Mapping* const mapping = remember(path, p, bytes);
  return std::shared_ptr<std::byte>(static_cast<std::byte*>(p), [bytes, mapping](std::byte* q) {
    forget(mapping);
    (void)::munmap(q, bytes);
  });
}

void read_ahead() {
  const std::lock_guard lock(mappings_mutex);
  for (Mapping* at = first_mapping.load(); at; at = at->next) {
    const std::uintptr_t begin = at->begin, end = at->end;
    if (begin < end) (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_NORMAL);
  }
}

std::vector<std::string> take_cut_files() {
  std::vector<std::string> paths;
  if (!any_cut.load(std::memory_order_relaxed) || !any_cut.exchange(false)) return paths;
  const std::lock_guard lock(mappings_mutex);
  for (Mapping* at = first_mapping.load(); at; at = at->next) {
    if (at->cut.exchange(false)) paths.push_back(at->path);
  }
  return paths;
}

}  // namespace tv

#include "core/io/tables/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tv {
namespace {

constexpr std::uint64_t kSound = std::numeric_limits<std::uint64_t>::max();
constexpr std::uintptr_t kBlockPage = 4096;  // blocks begin on a boundary of this size

// One mapping. Mappings are never freed, because the signal handler may read them at any time; they are reused.
struct Mapping {
  std::atomic<std::uintptr_t> begin = 0, end = 0;  // end is set last and cleared first
  std::atomic<bool> cut = false;
  std::atomic<std::uint64_t> damaged_at = kSound;
  // Set before `end`, and unchanged until the file is unmapped. Until then only the handler reads them, for addresses inside.
  std::vector<SummedBlock> blocks;
  ::dev_t device = 0;
  ::ino_t inode = 0;
  std::uint64_t number = 0;  // distinct for each mapped file
  std::string path;  // written under the mutex, before `end`
  bool used = false;
  Mapping* next = nullptr;
};

constinit std::atomic<Mapping*> first_mapping = nullptr;
constinit std::atomic<bool> any_damaged = false;
constinit std::atomic<bool> any_cut = false;  // since the last take_cut_files(); spares each frame a scan of all mappings
constinit std::mutex mappings_mutex;

constexpr std::uintptr_t kReplacedAtOnce = 2 << 20;  // bytes, because a file may lack millions of pages

Mapping* mapping_of(std::uintptr_t address) {
  for (Mapping* at = first_mapping.load(std::memory_order_acquire); at; at = at->next) {
    if (address < at->end.load(std::memory_order_acquire) && address >= at->begin.load(std::memory_order_relaxed)) return at;
  }
  return nullptr;
}

std::uintptr_t whole_pages(std::uintptr_t bytes) { return (bytes + kBlockPage - 1) / kBlockPage * kBlockPage; }

bool put_zeros(std::uintptr_t first, std::uintptr_t bytes) {
  return ::mmap(reinterpret_cast<void*>(first), bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

enum class BlockIs : std::uint8_t { Sound, Damaged, Gone };

// Opens the file only while we look at it, because more files may be mapped than a process may have open. -1 if the name is gone or
// now belongs to another file.
int open_again(const Mapping& mapping) {
  const int descriptor = ::open(mapping.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat is {};
  if (descriptor < 0) return descriptor;
  if (::fstat(descriptor, &is) == 0 && is.st_dev == mapping.device && is.st_ino == mapping.inode) return descriptor;
  ::close(descriptor);
  return -1;
}

// For a file whose name is gone or now belongs to another file. Other threads can briefly read the block before its sum is known.
BlockIs look_in_place(const Mapping& mapping, const SummedBlock& block) {
  void* const first = reinterpret_cast<void*>(mapping.begin + block.offset);
  if (::mprotect(first, whole_pages(block.bytes), PROT_READ) != 0) return BlockIs::Gone;
  const bool sound = XXH3_64bits(first, block.bytes) == block.hash;
  return sound ? BlockIs::Sound : mapping.cut ? BlockIs::Gone : BlockIs::Damaged;
}

// Reads the block from the file and not through the mapping, so that no other thread sees it before its sum is known.
BlockIs look_at(const Mapping& mapping, const SummedBlock& block) {
  const int descriptor = open_again(mapping);
  if (descriptor < 0) return look_in_place(mapping, block);
  std::array<char, 32 << 10> buffer;
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (std::uint64_t done = 0; done < block.bytes;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), block.bytes - done));
    const ::ssize_t n = ::pread(descriptor, buffer.data(), wanted, static_cast<::off_t>(block.offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      ::close(descriptor);
      return BlockIs::Gone;
    }
    XXH3_64bits_update(&state, buffer.data(), static_cast<std::size_t>(n));
    done += static_cast<std::uint64_t>(n);
  }
  ::close(descriptor);
  return XXH3_64bits_digest(&state) == block.hash ? BlockIs::Sound : BlockIs::Damaged;
}

void note(Mapping& mapping, const SummedBlock& block, BlockIs is) {
  if (is == BlockIs::Gone) {
    mapping.cut = true;
    any_cut = true;
    return;
  }
  std::uint64_t before = mapping.damaged_at;
  while (block.offset < before && !mapping.damaged_at.compare_exchange_weak(before, block.offset)) {
  }
  any_damaged = true;
}

// The number of blocks to settle at once, beginning with this one. A thread that reads blocks in order will probably go on, so it
// gets up to eight blocks per signal.
std::size_t run_from(const Mapping& mapping, const SummedBlock& block) {
  constexpr std::size_t kMost = 8;
  static constinit thread_local std::uint64_t run_of = 0;   // number of the mapping of the last run
  static constinit thread_local std::uint64_t run_end = 0;  // offset at which that run ended
  static constinit thread_local std::size_t run = 0;        // how many blocks it had
  const bool follows = run_of == mapping.number && run_end == block.offset;
  run = follows ? std::min(2 * run, kMost) : 1;
  run_of = mapping.number;
  const auto left = static_cast<std::size_t>(mapping.blocks.data() + mapping.blocks.size() - &block);
  std::size_t n = 1;
  while (n < std::min(run, left) && (&block)[n].offset == (&block)[n - 1].offset + (&block)[n - 1].bytes) ++n;
  run_end = (&block)[n - 1].offset + (&block)[n - 1].bytes;
  return n;
}

// Makes the block readable, as it is or as zeros. False if the system can do neither.
bool settle(Mapping& mapping, const SummedBlock& block) {
  const std::uintptr_t first = mapping.begin + block.offset, bytes = whole_pages(block.bytes);
  const BlockIs is = look_at(mapping, block);
  if (is == BlockIs::Sound) return ::mprotect(reinterpret_cast<void*>(first), bytes, PROT_READ) == 0;
  note(mapping, block, is);
  return put_zeros(first, bytes);
}

// The system limits the number of regions with different protection per process. At the limit, checks all blocks and makes them one
// region. If any block is not sound, the whole mapping reads as zeros.
bool settle_all(Mapping& mapping) {
  bool sound = true;
  for (const SummedBlock& block : mapping.blocks) {
    const BlockIs is = look_at(mapping, block);
    if (is == BlockIs::Sound) continue;
    sound = false;
    note(mapping, block, is);
  }
  const std::uintptr_t begin = mapping.begin, bytes = whole_pages(mapping.end - begin);
  if (sound) return ::mprotect(reinterpret_cast<void*>(begin), bytes, PROT_READ) == 0;
  return put_zeros(begin, bytes);
}

// Checks the block at an address when it is first touched. False if there is no block.
bool check_block(std::uintptr_t address) {
  Mapping* const mapping = mapping_of(address);
  if (!mapping || mapping->blocks.empty()) return false;
  const std::uintptr_t at = address - mapping->begin;
  auto block = std::upper_bound(mapping->blocks.begin(), mapping->blocks.end(), at,
                                [](std::uintptr_t offset, const SummedBlock& of) { return offset < of.offset; });
  if (block == mapping->blocks.begin()) return false;
  --block;
  if (at - block->offset >= whole_pages(block->bytes)) return false;
  // A few repeated faults are normal if threads share a block. A thread that keeps faulting at one address wants to write.
  constexpr int kOften = 64;
  static constinit thread_local std::uintptr_t last = 0;
  static constinit thread_local std::uint64_t last_of = 0;
  static constinit thread_local int times = 0;
  const bool again = std::exchange(last, address) == address && last_of == mapping->number;
  last_of = mapping->number;
  times = again ? times + 1 : 0;
  if (times > kOften) return false;
  const std::size_t run = run_from(*mapping, *block);
  for (std::size_t b = 0; b < run; ++b) {
    if (!settle(*mapping, *(block + static_cast<std::ptrdiff_t>(b)))) return settle_all(*mapping);
  }
  return true;
}

// Replaces a page that cannot be read by zeros, so that reading continues.
bool replace_page(std::uintptr_t address) {
  Mapping* const mapping = mapping_of(address);
  if (!mapping) return false;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = address / page * page, end = (mapping->end.load() + page - 1) / page * page;
  mapping->cut = true;
  any_cut = true;
  return put_zeros(first, std::min(end - first, kReplacedAtOnce));
}

constinit struct sigaction before_bus {}, before_segv {};

void on_fault(int signal, siginfo_t* info, void*) {
  const int before = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const bool done = signal == SIGBUS ? replace_page(address) : info->si_code == SEGV_ACCERR && check_block(address);
  // We cannot handle this fault. It occurs again, and the earlier handler takes it or the program ends.
  if (!done) (void)::sigaction(signal, signal == SIGBUS ? &before_bus : &before_segv, nullptr);
  errno = before;
}

// Called at each new mapping, because a handler that was installed since the last one may not pass our faults on.
void listen_to(int signal, struct sigaction& before) {
  struct sigaction now {};
  if (::sigaction(signal, nullptr, &now) != 0 || now.sa_sigaction == on_fault) return;
  before = now;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  (void)::sigaction(signal, &action, nullptr);
}

Mapping* remember(const std::string& path, void* begin, std::size_t bytes, const struct stat& file, std::vector<SummedBlock> blocks) {
  const std::lock_guard lock(mappings_mutex);
  listen_to(SIGBUS, before_bus);
  listen_to(SIGSEGV, before_segv);
  Mapping* mapping = first_mapping.load();
  // Skips mappings with a fault that was not reported yet.
  while (mapping && (mapping->used || mapping->cut || mapping->damaged_at != kSound)) mapping = mapping->next;
  const bool is_new = !mapping;
  if (is_new) mapping = new Mapping;
  mapping->path = path;
  mapping->used = true;
  mapping->blocks = std::move(blocks);
  mapping->device = file.st_dev;
  mapping->inode = file.st_ino;
  static std::uint64_t mappings = 0;
  mapping->number = ++mappings;
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
  mapping->blocks = {};
}

}  // namespace

bool checks_when_touched() { return ::sysconf(_SC_PAGESIZE) == static_cast<long>(kBlockPage); }

Result<std::shared_ptr<std::byte>> map_file(const std::string& path, std::size_t bytes, std::vector<SummedBlock> blocks) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Error{std::string("cannot open: ") + std::strerror(errno), path, {}, {}, true};
  struct stat status {};
  const bool whole = ::fstat(descriptor, &status) == 0 && static_cast<std::uint64_t>(status.st_size) >= bytes;
  void* const p = whole && bytes > 0 ? ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0) : MAP_FAILED;
  const int why = errno;
  ::close(descriptor);
  if (!whole) return Error{"the file is shorter than it was", path, {}, {}};
  if (p == MAP_FAILED) return Error{std::string("cannot map: ") + std::strerror(why), path, {}, {}, true};
  (void)::madvise(p, bytes, MADV_RANDOM);
  Mapping* const mapping = remember(path, p, bytes, status, std::move(blocks));
  std::shared_ptr<std::byte> out(static_cast<std::byte*>(p), [bytes, mapping](std::byte* q) {
    forget(mapping);
    (void)::munmap(q, bytes);
  });
  // Protects adjacent blocks in one call.
  const std::vector<SummedBlock>& all = mapping->blocks;
  for (std::size_t b = 0; b < all.size();) {
    const std::size_t first = b;
    std::uintptr_t end = 0;
    do end = all[b].offset + whole_pages(all[b].bytes);
    while (++b < all.size() && all[b].offset == end);
    if (::mprotect(out.get() + all[first].offset, end - all[first].offset, PROT_NONE) == 0) continue;
    return Error{std::string("cannot map: ") + std::strerror(errno), path, {}, {}, true};
  }
  return out;
}

void let_read(const std::byte* first, std::size_t bytes) {
  // If mprotect() fails, the blocks are checked again when they are touched.
  (void)::mprotect(const_cast<std::byte*>(first), bytes, PROT_READ);
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

std::vector<DamagedFile> take_damaged_files() {
  std::vector<DamagedFile> files;
  if (!any_damaged.load(std::memory_order_relaxed) || !any_damaged.exchange(false)) return files;
  const std::lock_guard lock(mappings_mutex);
  for (Mapping* at = first_mapping.load(); at; at = at->next) {
    if (const std::uint64_t offset = at->damaged_at.exchange(kSound); offset != kSound) files.push_back({at->path, offset});
  }
  return files;
}

}  // namespace tv

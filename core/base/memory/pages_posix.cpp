#include "core/base/memory/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>

namespace tv {

std::shared_ptr<std::byte> allocate_pages(std::size_t bytes) {
  void* const p = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return {static_cast<std::byte*>(p), [bytes](std::byte* q) { (void)::munmap(q, bytes); }};
}

void will_need(std::span<const std::byte> mapped) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(mapped.data()), first = begin - begin % page;
  if (!mapped.empty()) (void)::madvise(reinterpret_cast<void*>(first), begin + mapped.size() - first, MADV_WILLNEED);
}

}  // namespace tv

#include "core/base/memory/pages.h"

#include <sys/mman.h>

#include <new>

namespace tv {

std::shared_ptr<std::byte> allocate_pages(std::size_t bytes) {
  void* const p = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return {static_cast<std::byte*>(p), [bytes](std::byte* q) { (void)::munmap(q, bytes); }};
}

}  // namespace tv

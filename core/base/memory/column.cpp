#include "core/base/memory/column.h"

#include <cstdlib>
#include <new>

#include "core/base/memory/memory_budget.h"
#include "core/base/memory/pages.h"

#if defined(__SANITIZE_ADDRESS__)
#define TV_GUARDED_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TV_GUARDED_HEAP 1
#endif
#endif

namespace tv {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kMapped = 64 << 10;  // from this size on, memory is mapped, so that freed memory returns to the system

std::shared_ptr<std::byte> from_heap(std::size_t bytes) {
  void* const p = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  if (p == nullptr) throw std::bad_alloc();
  return {static_cast<std::byte*>(p), [](std::byte* q) { std::free(q); }};
}

std::shared_ptr<std::byte> from_system(std::size_t bytes) {
#ifdef TV_GUARDED_HEAP
  return from_heap(bytes);  // sanitizers check the bounds of malloc's memory
#else
  return allocate_pages(bytes);
#endif
}

}  // namespace

std::shared_ptr<std::byte> allocate_bytes(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (!memory_granted(bytes)) throw std::bad_alloc();
  return bytes < kMapped ? from_heap(bytes) : from_system(bytes);
}

}  // namespace tv

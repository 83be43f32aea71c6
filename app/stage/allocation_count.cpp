#include "app/stage/allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include "core/base/memory/memory_budget.h"

namespace {
thread_local std::uint64_t allocations = 0;  // of this thread
std::atomic<bool> any_refused = false;
}

namespace tv {
std::uint64_t allocations_of_this_thread() { return allocations; }
bool allocation_was_refused() { return any_refused; }
}  // namespace tv

// A program that uses the functions above also links these operators. The delete below calls free(), so both new and new (nothrow)
// are defined here, with malloc(); the forms for arrays call these.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  void* const p = tv::memory_granted(bytes) ? std::malloc(bytes > 0 ? bytes : 1) : nullptr;
  if (!p) tv::memory_was_refused = true;
  return p;
}
void* operator new(std::size_t bytes) {
  if (void* const p = operator new(bytes, std::nothrow)) return p;
  any_refused = true;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

// Counts the basic blocks that core visits: gcc calls __sanitizer_cov_trace_pc() in each (-fsanitize-coverage=trace-pc). This
// file is compiled without any sanitizer, or it would count itself. A thread adds to its own cache line, which it keeps when it
// ends; threads beyond the array share the last.
#include "tests/support/visits.h"

#include <atomic>
#include <cstddef>

namespace {

struct alignas(64) Slot {
  std::atomic<std::uint64_t> visits{0};
};

constexpr std::size_t kOwn = 1 << 16;
Slot slots[kOwn + 1];
std::atomic<std::size_t> threads{0};
thread_local Slot* mine = nullptr;

Slot* take_slot() {
  const std::size_t at = threads.fetch_add(1, std::memory_order_relaxed);
  return &slots[at < kOwn ? at : kOwn];
}

void add(std::uint64_t n) {
  if (!mine) [[unlikely]] mine = take_slot();
  if (mine == &slots[kOwn]) [[unlikely]] {
    mine->visits.fetch_add(n, std::memory_order_relaxed);
  } else {
    mine->visits.store(mine->visits.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
}

}  // namespace

extern "C" void __sanitizer_cov_trace_pc() { add(1); }

namespace tv::test {

std::uint64_t visits() {
  std::size_t used = threads.load(std::memory_order_relaxed);
  if (used > kOwn) used = kOwn + 1;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < used; ++i) sum += slots[i].visits.load(std::memory_order_relaxed);
  return sum;
}

void count_visits(std::uint64_t n) { add(n); }

}  // namespace tv::test

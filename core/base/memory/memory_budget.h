// Limits the real memory that one piece of work may take; allocations are checked against it. Estimates already reject oversized
// data, with a better message. This limit applies when estimates are wrong: one record of a gigabyte, a million lanes, a file
// that declares more than it contains.
//
//   auto budget = std::make_shared<MemoryBudget>(limit);
//   const OnBudget charged(budget.get());     // this thread, and the pool's tasks that it starts
//   ...                                       // allocations throw std::bad_alloc beyond the limit
//
// It measures the whole process (/proc/self/statm, 2 microseconds): when a large piece is allocated, and after each megabyte of
// small ones. In between, an allocation costs one addition. So the limit holds to within a megabyte for each thread. Without
// /proc, and with sanitizers (whose own memory exceeds the limits of tests), only a single piece above the limit is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tv {

/// Bytes of private memory that the process holds now. 0: unknown.
std::uint64_t held_memory();

class MemoryBudget : public std::enable_shared_from_this<MemoryBudget> {
 public:
  /// Allowed beyond the limit: memory that the program and its threads take for any load.
  static constexpr std::uint64_t kAllowance = 24 << 20;

  /// `limit`: bytes above the present use; 0 = none. Must be held by a shared_ptr.
  explicit MemoryBudget(std::uint64_t limit)
      : most_(limit == 0 || limit > UINT64_MAX / 2 ? UINT64_MAX : held_memory() + limit + kAllowance) {}

  /// Whether this many more bytes may be taken.
  bool grants(std::size_t bytes) const { return most_ == UINT64_MAX || (bytes < most_ && held_memory() <= most_ - bytes); }

  /// The budget of this thread; null if there is no limit.
  static inline constinit thread_local MemoryBudget* of_this_thread = nullptr;

 private:
  std::uint64_t most_;
};

/// While it lives, allocations of this thread are charged to `budget`. Null: to none.
class OnBudget {
 public:
  explicit OnBudget(MemoryBudget* budget) : before_(MemoryBudget::of_this_thread) { MemoryBudget::of_this_thread = budget; }
  ~OnBudget() { MemoryBudget::of_this_thread = before_; }
  OnBudget(const OnBudget&) = delete;
  OnBudget& operator=(const OnBudget&) = delete;

 private:
  MemoryBudget* before_;
};

/// Set by operator new when it refuses memory to this thread, because some libraries do not check whether they got any.
inline constinit thread_local bool memory_was_refused = false;

/// For allocators: operator new, columns.
inline bool memory_granted(std::size_t bytes) {
  static constinit thread_local std::size_t since = 0;  // bytes of small pieces since it was last measured
  constexpr std::size_t kUnmeasured = 1 << 20;
  const MemoryBudget* const budget = MemoryBudget::of_this_thread;
  if (budget == nullptr) return true;
  since += bytes;
  if (since < kUnmeasured) return true;
  since = 0;
  return budget->grants(bytes);
}

}  // namespace tv

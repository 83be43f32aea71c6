// Limits the real memory that one piece of work may take: allocations beyond the limit are refused. Estimates already reject
// oversized data, with a better message. This limit applies when estimates are wrong: one record of a gigabyte, a million lanes, a
// file that declares more than it contains.
//
//   auto budget = std::make_shared<MemoryBudget>(limit);
//   const OnBudget charged(budget.get());     // for this thread, and for pool tasks that it starts
//   ...                                       // allocations throw std::bad_alloc beyond the limit
//
// The memory of the whole process is measured (/proc/self/statm, 2 microseconds) when a large piece is allocated, and after each
// megabyte of small ones. In between, an allocation costs one addition. So the limit holds to within a megabyte for each thread.
// Without /proc, and with sanitizers (whose own memory exceeds the limits of tests), only a piece larger than the limit is refused.
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

  /// `limit`: bytes above the present use; 0: no limit. The budget must be held by a shared_ptr.
  explicit MemoryBudget(std::uint64_t limit)
      : most_(limit == 0 || limit > UINT64_MAX / 2 ? UINT64_MAX : held_memory() + limit + kAllowance) {}

  /// Whether this many more bytes may be taken.
  bool grants(std::size_t bytes) const { return most_ == UINT64_MAX || (bytes < most_ && held_memory() <= most_ - bytes); }

  /// The budget of this thread; null if there is no limit.
  static inline constinit thread_local MemoryBudget* of_this_thread = nullptr;

 private:
  std::uint64_t most_;  // bytes that the process may hold
};

/// While this object lives, allocations of this thread are charged to `budget`. Null: there is no limit.
class OnBudget {
 public:
  explicit OnBudget(MemoryBudget* budget) : previous_(MemoryBudget::of_this_thread) { MemoryBudget::of_this_thread = budget; }
  ~OnBudget() { MemoryBudget::of_this_thread = previous_; }
  OnBudget(const OnBudget&) = delete;
  OnBudget& operator=(const OnBudget&) = delete;

 private:
  MemoryBudget* previous_;
};

/// Set when operator new refuses memory to this thread, because some libraries ignore a failed allocation.
inline constinit thread_local bool memory_was_refused = false;

/// Whether this thread may take `bytes` more. Called by allocators: operator new, columns.
inline bool memory_granted(std::size_t bytes) {
  static constinit thread_local std::size_t unmeasured = 0;  // bytes allocated since the last measurement
  constexpr std::size_t kMostUnmeasured = 1 << 20;
  const MemoryBudget* const budget = MemoryBudget::of_this_thread;
  if (budget == nullptr) return true;
  unmeasured += bytes;
  if (unmeasured < kMostUnmeasured) return true;
  unmeasured = 0;
  return budget->grants(bytes);
}

}  // namespace tv

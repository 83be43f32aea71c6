// The progress of statistics: slices read so far out of slices to be read. Passes that turn out to be needed are added when they
// begin, but the progress never goes back.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace tv {

class StatsProgress {
 public:
  // For the counting threads.
  void expect(std::uint64_t slices) { expected_.fetch_add(slices, std::memory_order_relaxed); }
  void saw(std::uint64_t slices) { seen_.fetch_add(slices, std::memory_order_relaxed); }
  void finish() { most_.store(1, std::memory_order_relaxed); }

  /// The progress from 0 to 1. On any thread.
  double part() {
    const auto expected = static_cast<double>(expected_.load(std::memory_order_relaxed));
    const auto seen = static_cast<double>(seen_.load(std::memory_order_relaxed));
    double most = most_.load(std::memory_order_relaxed);
    const double now = expected > 0 ? std::min(seen / expected, 1.0) : 0;
    while (now > most && !most_.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
    }
    return std::max(now, most);
  }

 private:
  std::atomic<std::uint64_t> expected_ = 0, seen_ = 0;
  std::atomic<double> most_ = 0;
};

}  // namespace tv

// Watches whether the files that a load reads fit into memory. Stops reading if an estimate from what was read so far exceeds the
// limit, or when memory runs out. All calls are thread-safe, except begin() and begin_again().
// Cost: O(1) for a batch; O(files) when the files turn out to be too large.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "core/base/memory/memory_budget.h"
#include "core/base/threads/published.h"
#include "core/session/files/load_source.h"
#include "core/session/files/too_large.h"

namespace tv {

class MemoryWatch {
 public:
  /// `limit`: in bytes.
  void begin(std::uint64_t limit);
  /// Call when the files turned out to be too large together: they will be read rank by rank.
  void begin_again();
  std::uint64_t limit() const { return limit_; }
  MemoryBudget* budget() const { return budget_.get(); }

  /// Notes that `items` more were read from `source`. `bytes_expected`: how many bytes will be read from `all` files.
  void add(LoadSource& source, std::uint64_t items, std::uint64_t bytes_expected, const LoadSources& all);
  /// Notes that the data of this file were dropped.
  void forget(LoadSource& source);
  /// Notes that a rank does not fit, even alone.
  void refuse(std::shared_ptr<const TooLarge> why) { too_large_.store(std::move(why)); }
  /// Notes that memory ran out. `file`: what was being read; empty: not a single file.
  void run_out(const std::string& file);

  bool has_run_out() const { return ran_out_; }
  /// Null: everything fits, as far as is known.
  std::shared_ptr<const TooLarge> too_large() const { return too_large_.load(); }
  std::stop_token reading() const { return stop_reading_.get_token(); }
  void stop_reading() { stop_reading_.request_stop(); }

 private:
  std::uint64_t limit_ = 0;
  std::shared_ptr<MemoryBudget> budget_;
  std::atomic<bool> ran_out_ = false;
  std::mutex weighing_;  // guards both counts, because the estimate divides one by the other
  std::uint64_t items_ = 0, weighed_ = 0;  // items that were read and kept, and the bytes they came from
  std::stop_source stop_reading_;
  Published<TooLarge> too_large_;
  // Allocated in advance, because memory has run out when it is needed.
  std::shared_ptr<TooLarge> out_of_memory_ = std::make_shared<TooLarge>(TooLarge{0, 0, {}, true, {}});
};

}  // namespace tv

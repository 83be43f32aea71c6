// Whether the files that a load reads fit into memory: an estimate from what has been read so far, and a note when memory runs out.
// In both cases reading stops. All calls are thread-safe, but for begin() and begin_again().
// Cost: O(1) for a batch; when files turn out too large, O(files).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "core/base/memory/memory_budget.h"
#include "core/base/threads/published.h"
#include "core/session/load/load_source.h"
#include "core/session/load/too_large.h"

namespace tv {

class MemoryWatch {
 public:
  /// `limit`: in bytes.
  void begin(std::uint64_t limit);
  /// After files turned out too large together: they will be read in parts.
  void begin_again();
  std::uint64_t limit() const { return limit_; }
  MemoryBudget* budget() const { return budget_.get(); }

  /// `items` more of one of the files were read. `bytes_expected`: bytes that will be read in all.
  void add(LoadSource& source, std::uint64_t items, std::uint64_t bytes_expected, const LoadSources& all);
  /// What was read of this file is dropped.
  void forget(LoadSource& source);
  /// A part of the files does not fit, even alone.
  void refuse(std::shared_ptr<const TooLarge> why) { too_large_.store(std::move(why)); }
  /// Memory ran out. `file`: where it happened, if known.
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
  std::mutex weighing_;  // guards items and their bytes together: the estimate divides one by the other
  std::uint64_t items_ = 0, weighed_ = 0;  // items read and kept, and the bytes they came from
  std::stop_source stop_reading_;
  Published<TooLarge> too_large_;
  // Allocated in advance, so that it exists when memory has run out.
  std::shared_ptr<TooLarge> out_of_memory_ = std::make_shared<TooLarge>(TooLarge{0, 0, {}, true, {}});
};

}  // namespace tv

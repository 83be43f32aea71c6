// Finds the slices that have a text anywhere in their record, args included. Scans the sources' texts again, plain ones on all
// threads; hits appear as soon as they are found.
//
// The text is compared byte by byte with the file: case matters, and a quote is a quote. A row of a database is compared in the
// JSON form that the details show.
// Cost: about 2 GB/s of plain text on two cores, 0.7 GB/s of a .gz; some 30 us for a row; a RecordIndex during the search.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/threads/published.h"
#include "core/base/threads/thread_pool.h"
#include "core/query/search/hit_spread.h"
#include "core/store/trace/trace.h"

namespace tv {

struct RecordHits {
  static constexpr std::size_t kMost = 1'000'000;

  std::vector<SliceId> slices;        ///< slices and instants, by begin, then row, then id
  HitSpread spread;                   ///< of `slices`
  std::vector<std::string> problems;  ///< sources that could not be searched, and why
  std::uint64_t bytes = 0;            ///< bytes of text that were scanned
  bool complete = false;
  bool too_many = false;  ///< the search stopped at kMost
};

class RecordSearch {
 public:
  /// Starts at once. `wake` is called on another thread when there are more hits, and at the end.
  RecordSearch(std::shared_ptr<const Trace> trace, std::string text, ThreadPool& pool, std::function<void()> wake);

  const std::string& text() const { return text_; }
  /// The hits so far. Never null.
  std::shared_ptr<const RecordHits> hits() const { return hits_.load(); }
  void cancel() { thread_.request_stop(); }
  void wait() { thread_.join(); }

 private:
  void run(std::stop_token stop);
  void add_problem(std::string problem);
  void add(std::vector<SliceId> found, std::uint64_t bytes);

  std::shared_ptr<const Trace> trace_;
  std::string text_;
  ThreadPool& pool_;
  std::function<void()> wake_;
  RecordHits so_far_;  // only used by the thread, as the next two
  std::vector<SliceId> waiting_;  // found, but not in so_far_ yet
  std::chrono::steady_clock::time_point shown_;  // when hits_ was last stored
  Published<RecordHits> hits_;
  std::jthread thread_;  // last: it uses everything above
};

}  // namespace tv

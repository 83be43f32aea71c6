// Statistics of the slices that the user asks about: which slices count, and how they are grouped. They are made in the
// background for the window, and synchronously for the command line, with the same numbers.
//
// An outdated question is stopped between any two rows or blocks of records. Cost: statistics_table.h.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/index/snapshot.h"
#include "core/view/lists/statistics_table.h"

namespace tv {

struct StatisticsQuestion {
  std::uint64_t generation = 0;
  std::optional<TimeRange> range;  ///< none = the whole trace
  std::vector<LaneId> lanes;
  Grouping by;
  std::string where = {};  ///< only slices for which this expression holds count (slice_filter.h); empty: all
  std::vector<bool> labels = {};  ///< by label: whether its slices count; empty: all
  bool operator==(const StatisticsQuestion&) const = default;
};

Statistics ask_statistics(const Snapshot& snapshot, const StatisticsQuestion& asked, ThreadPool& pool,
                          std::stop_token stop = {}, StatsProgress* progress = nullptr);

/// Text while an answer is pending: "counting ...", or "counting ... 40 %".
std::string counting_text(double part);

/// One question at a time, in the background.
class StatisticsJob {
 public:
  /// `done` is called on a pool thread after each answer (to wake the window).
  StatisticsJob(ThreadPool& pool, std::function<void()> done);
  ~StatisticsJob();
  StatisticsJob(const StatisticsJob&) = delete;
  StatisticsJob& operator=(const StatisticsJob&) = delete;

  struct Answer {
    std::shared_ptr<const Statistics> made;  ///< the newest; null before the first
    bool fresh = false;                      ///< `made` answers the present question
    std::uint64_t version = 0;               ///< differs between any two answers
    double part = 0;                         ///< progress of the next answer, from 0 to 1
  };
  /// Call in each frame; asks the question if it is new.
  Answer get(std::shared_ptr<const Snapshot> snapshot, const StatisticsQuestion& asked);
  bool running() const;

 private:
  struct State;
  ThreadPool& pool_;
  std::shared_ptr<State> state_;
};

}  // namespace tv

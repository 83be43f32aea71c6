#include "core/analysis/scripts/turn_distribution.h"

#include <algorithm>
#include <map>

#include "core/analysis/statistics/summary.h"

namespace tv {
namespace {

struct Cell {
  std::size_t n = 0;
  double seconds = 0;
  double mean() const { return n == 0 ? kNotMeasured : seconds / static_cast<double>(n); }
};

class Counter {
 public:
  explicit Counter(std::size_t groups) { out_.groups = groups; }

  void add(std::size_t group, std::int32_t turns, double seconds) {
    if (turns < 0) {
      ++out_.turns_not_logged;
      return;
    }
    std::vector<Cell>& cells = cells_[turns];
    if (cells.empty()) cells.resize(out_.groups);
    ++cells[group].n;
    cells[group].seconds += seconds;
  }

  TurnDistribution result() {
    for (const auto& [turns, cells] : cells_) {
      out_.turns.push_back(turns);
      auto& count = out_.count.emplace_back();
      auto& mean = out_.mean_seconds.emplace_back();
      Cell total;
      for (const Cell& cell : cells) {
        count.push_back(cell.n);
        mean.push_back(cell.mean());
        total.n += cell.n;
        total.seconds += cell.seconds;
      }
      out_.total.push_back(total.n);
      out_.total_mean_seconds.push_back(total.mean());
    }
    return std::move(out_);
  }

 private:
  TurnDistribution out_;
  std::map<std::int32_t, std::vector<Cell>> cells_;
};

}  // namespace

TurnDistribution turn_distribution(const Rollout& rollout, const RequestSet& requests) {
  Counter counter(rollout.steps.size());
  for (const RequestIx r : requests) counter.add(rollout.step[r], rollout.turns[r], rollout.seconds[r]);
  return counter.result();
}

TurnDistribution script_turn_distribution(const RolloutLog& log, const std::vector<ScriptFile>& files) {
  const std::vector<std::int32_t> steps = steps_of(files);
  Counter counter(steps.size());
  for (const ScriptFile& file : files) {
    const auto group = static_cast<std::size_t>(std::ranges::lower_bound(steps, file.step) - steps.begin());
    for (const std::uint32_t r : file.requests) counter.add(group, log.requests[r].turns, log.requests[r].seconds);
  }
  return counter.result();
}

}  // namespace tv

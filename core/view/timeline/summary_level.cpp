#include "core/view/timeline/summary_level.h"

#include <algorithm>
#include <vector>

#include "core/store/rules/iteration_rules.h"

namespace tv {
namespace {

constexpr double kGoodPart = 1.0 / 16, kMostOfIt = 0.5;

struct Level {
  double busy = 0, longest = -1;
  LabelId label = kNone<LabelId>;  // of the longest slice
};

// One level per depth. Empty if the lane has several slots, because its rows are then no stack.
std::vector<Level> levels_of_stacks(const Trace& trace, const TraceIndex& index, LaneId lane) {
  std::vector<Level> levels;
  const Lane& lane_data = trace.lane(lane);
  for (std::uint32_t r = lane_data.first_row; r < lane_data.first_row + lane_data.row_count; ++r) {
    const Row& row = trace.rows[r];
    if (row.kind != RowKind::Slices) break;
    if (row.slot > 0) return {};
    const WholeRow whole = whole_row(index.row(trace, id_at<RowId>(r)));
    levels.resize(std::max<std::size_t>(levels.size(), row.depth + 1u));
    Level& level = levels[row.depth];
    level.busy += static_cast<double>(whole.busy);
    if (static_cast<double>(whole.longest) <= level.longest) continue;
    level.longest = static_cast<double>(whole.longest);
    level.label = whole.label;
  }
  return levels;
}

}  // namespace

std::uint32_t summary_level(const Trace& trace, const TraceIndex& index, LaneId lane) {
  const std::vector<Level> levels = levels_of_stacks(trace, index, lane);
  const auto is_one_thing = [&](const Level& level) {
    if (level.longest >= kGoodPart * level.busy) return true;
    return level.label != kNone<LabelId> &&
           iteration_mark(trace.labels.category(level.label), trace.labels.name(level.label)) <= IterationMark::Step;
  };
  std::uint32_t at = 0;
  while (at + 1 < levels.size() && is_one_thing(levels[at]) && levels[at + 1].busy >= kMostOfIt * levels[0].busy) ++at;
  return at;
}

}  // namespace tv

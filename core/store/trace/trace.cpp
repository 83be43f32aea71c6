#include "core/store/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/store/trace/row_layout.h"

namespace tv {

namespace {

RowSlices slices_at(const SliceTable& slices, std::size_t first, std::size_t count, const SegmentPlace& placed) {
  const auto at = [&](const auto& column) { return std::span(column).subspan(first, count); };
  return {at(slices.begin), at(slices.duration), at(slices.label), id_at<SegmentSlice>(first), placed};
}

}  // namespace

RowSlices Trace::slices_of(const Row& row) const {
  if (parts.empty()) return slices_at(slices, row.first, row.count, {});
  const ViewPart& part = part_of(id_at<SliceId>(row.first));
  return slices_at(part.segment->slices, row.first - part.first_slice, row.count, part.placed());
}

RowId Trace::row_of(SliceId id) const {
  if (!parts.empty()) {
    const ViewPart& part = part_of(id);
    return part.row[idx(part.segment->row_of(id_at<SliceId>(idx(part.own(id)))))];
  }
  const auto after = std::upper_bound(rows.begin(), rows.end(), idx(id),
                                      [](std::size_t item, const Row& row) { return item < row.first; });
  // An empty row has the same `first` as the next row, so the last row that begins at or before the item contains it.
  return id_at<RowId>(static_cast<std::size_t>(after - rows.begin()) - 1);
}

std::vector<std::string> Trace::path_of(LaneId id) const {
  std::vector<std::string> path;
  for (LaneId at = id; at != kNone<LaneId>; at = lane(at).parent) path.push_back(lane(at).name);
  std::reverse(path.begin(), path.end());
  return path;
}

bool Trace::is_one_packed() const {
  return parts.size() < 2 && std::ranges::any_of(sources, [](const SourceInfo& source) { return source.packed.has_value(); });
}

std::uint64_t Trace::lost() const {
  std::uint64_t sum = 0;
  for (const SourceInfo& source : sources) sum += source.problems.lost();
  return sum;
}

std::size_t Trace::bytes() const {
  std::size_t sum = items() * (3 * sizeof(Ns) + sizeof(LabelId) + sizeof(ItemRef)) + labels.bytes() +
                    rows.size() * sizeof(Row) + lanes.size() * sizeof(Lane) + flows.bytes();
  for (const CounterSeries& series : counters) sum += series.time.size() * 16;
  return sum + rollout.bytes() + metrics.bytes() + pipeline.bytes();
}

std::string row_violation(const RowSlices& row, const Lane& lane) {
  const Ns slack = lane.nest_tolerance > 0 ? kRoundingSlack : 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row.duration(i) < 0) return fmt::format("slice {} has a negative duration", i);
    if (i > 0 && row.begin(i) < row.begin(i - 1)) return fmt::format("slice {} goes back", i);
    if (i > 0 && row.end(i) < row.end(i - 1)) return fmt::format("slice {} ends before the previous one", i);
    if (i > 0 && row.begin(i) + slack < row.end(i - 1)) return fmt::format("slices {} and {} overlap", i - 1, i);
  }
  return {};
}

std::string check_invariants(const Trace& trace) {
  const Lane no_lane;
  std::size_t next = 0;
  for (std::size_t r = 0; r < trace.rows.size(); ++r) {
    const Row& row = trace.rows[r];
    // A view's rows are ordered by lane, its slices by segment.
    if (trace.parts.empty() && row.first != next) return fmt::format("row {} begins at slice {}, expected {}", r, row.first, next);
    next += row.count;
    if (trace.columns_are == ColumnsAre::Unchecked) continue;
    const Lane& lane = idx(row.lane) < trace.lanes.size() ? trace.lane(row.lane) : no_lane;
    if (const std::string why = row_violation(trace.slices_of(row), lane); !why.empty()) return fmt::format("row {} {}", r, why);
  }
  if (next != trace.items()) return "rows do not cover all slices";
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    const Lane& lane = trace.lanes[l];
    if (idx(lane.subtree_end) <= l) return fmt::format("lane {} ends before it begins", l);
    if (lane.parent != kNone<LaneId> && idx(lane.parent) >= l) return fmt::format("lane {} precedes its parent", l);
    for (const Row& row : trace.rows_of(lane)) {
      if (idx(row.lane) != l) return fmt::format("lane {} holds a row of another lane", l);
    }
  }
  return {};
}

}  // namespace tv

#include "core/index/same_lanes.h"

#include <algorithm>
#include <unordered_map>

namespace tv {
namespace {

// A segment in a view, or one that is shown on its own.
struct Placed {
  const Trace* segment;
  const ViewPart* part;  // null if the segment is shown on its own

  Ns shift() const { return part ? part->shift.by : 0; }
  RowId row(std::size_t in_segment) const { return part ? part->row[in_segment] : id_at<RowId>(in_segment); }
  LabelId label(std::size_t in_segment) const {
    return part && !part->label.empty() ? part->label[in_segment] : id_at<LabelId>(in_segment);
  }
};

std::vector<Placed> placed_in(const Trace& view) {
  if (view.parts.empty()) return {{&view, nullptr}};
  std::vector<Placed> placed;
  for (const ViewPart& part : view.parts) placed.push_back({part.segment.get(), &part});
  return placed;
}

bool have_same_labels(const Placed& a, const Placed& b) {
  for (std::size_t l = 0; l < a.segment->labels.size(); ++l) {
    if (a.label(l) != b.label(l)) return false;
  }
  return true;
}

struct SameRow {
  RowId row = kNone<RowId>;
  Ns moved = 0;
  bool same_labels = false;
};

// Indexed by row of `view`.
std::vector<SameRow> same_rows(const Trace& view, const Trace& earlier) {
  std::unordered_map<const Trace*, Placed> before;
  for (const Placed& placed : placed_in(earlier)) before.emplace(placed.segment, placed);
  std::vector<SameRow> rows(view.rows.size());
  for (const Placed& now : placed_in(view)) {
    const auto found = before.find(now.segment);
    if (found == before.end()) continue;
    const Placed& was = found->second;
    const Ns moved = now.shift() - was.shift();
    const bool same_labels = have_same_labels(now, was);
    for (std::size_t r = 0; r < now.segment->rows.size(); ++r) rows[idx(now.row(r))] = {was.row(r), moved, same_labels};
  }
  return rows;
}

std::span<const Row> slice_rows(const Trace& trace, const Lane& lane) {
  const std::span<const Row> rows = trace.rows_of(lane);
  const auto slices = std::ranges::find(rows, RowKind::Instants, &Row::kind) - rows.begin();
  return rows.first(static_cast<std::size_t>(slices));
}

}  // namespace

std::vector<SameLane> same_lanes(const Trace& view, const Trace& earlier) {
  const std::vector<SameRow> rows = same_rows(view, earlier);
  std::vector<SameLane> lanes(view.lanes.size());
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    const Lane& lane = view.lanes[l];
    const std::size_t count = slice_rows(view, lane).size();
    if (count == 0) continue;
    const auto of_lane = std::span(rows).subspan(lane.first_row, count);
    const SameRow& top = of_lane.front();
    if (top.row == kNone<RowId>) continue;
    const LaneId was = earlier.row(top.row).lane;
    bool same = idx(top.row) == earlier.lane(was).first_row && slice_rows(earlier, earlier.lane(was)).size() == count;
    bool same_labels = true;
    for (std::size_t r = 0; r < count && same; ++r) {
      same = of_lane[r].row != kNone<RowId> && idx(of_lane[r].row) == idx(top.row) + r && of_lane[r].moved == top.moved;
      same_labels = same_labels && of_lane[r].same_labels;
    }
    if (same) lanes[l] = {was, top.moved, same_labels};
  }
  return lanes;
}

}  // namespace tv

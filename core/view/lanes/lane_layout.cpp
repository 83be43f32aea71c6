#include "core/view/lanes/lane_layout.h"

#include <algorithm>
#include <unordered_map>

#include "core/view/lanes/lane_titles.h"
#include "core/view/lanes/shown_lanes.h"

namespace tv {
namespace {

bool has_lanes_below(const Trace& trace, LaneId lane) {
  return idx(trace.lane(lane).subtree_end) > idx(lane) + 1;
}

LaneBox make_box(const Trace& trace, LaneId id, bool collapsed, float row_scale, const LaneMetrics& metrics) {
  const Lane& lane = trace.lane(id);
  LaneBox box;
  box.lane = id;
  box.group = has_lanes_below(trace, id);
  box.collapsed = collapsed;
  box.first_row = lane.first_row;
  const LineCount lines = count_lines(trace, lane);
  box.can_fold = box.group || lines.all() > 1;
  if (collapsed) {
    box.summary_height = metrics.summary;
    return box;
  }
  const auto is_of_slices = [](const Row& row) { return row.kind == RowKind::Slices; };
  box.slice_rows = static_cast<std::uint32_t>(std::ranges::count_if(trace.rows_of(lane), is_of_slices));
  box.instant_rows = lane.row_count - box.slice_rows;
  box.line_count = lines.of_slices;
  box.as_rows = lines.as_rows;
  box.header_height = box.group ? metrics.group_header : metrics.lane_header;
  if (box.instant_rows > 0) box.instants_height = metrics.instants;
  if (lane.counter != UINT32_MAX) box.counter_height = metrics.counter * row_scale;
  return box;
}

}  // namespace

LaneMetrics LaneMetrics::scaled(float factor) const {
  LaneMetrics out = *this;
  for (float* size :
       {&out.group_header, &out.lane_header, &out.row, &out.tall_row, &out.instants, &out.counter, &out.summary, &out.gap,
        &out.compact_row_least, &out.compact_row_most, &out.compact_lane, &out.readable_slice, &out.thin_row}) {
    *size *= factor;
  }
  return out;
}

std::vector<std::string> lane_keys(const Trace& trace) {
  std::vector<std::string> keys;
  std::unordered_map<std::string, std::uint32_t> seen;
  keys.reserve(trace.lanes.size());
  for (const Lane& lane : trace.lanes) {  // parents precede their children
    std::string key = lane.parent == kNone<LaneId> ? lane.name : keys[idx(lane.parent)] + '\x1f' + lane.name;
    const std::uint32_t twin = seen[key]++;
    if (twin > 0) key += '\x1e' + std::to_string(twin);
    keys.push_back(std::move(key));
  }
  return keys;
}

std::vector<bool> default_collapsed(const Trace& trace) {
  const std::size_t lanes = trace.lanes.size();
  std::vector<bool> collapsed(lanes, false);
  if (lanes <= kManyLanes) return collapsed;
  std::size_t shown = 0;
  for (std::size_t l = 0; l < lanes;) {
    const Lane& lane = trace.lanes[l];
    const std::size_t end = idx(lane.subtree_end);
    ++shown;
    // The first group is opened down to its first lane, so that something is always visible.
    const bool on_first_path = shown == l + 1 && lane.depth == l;
    const std::size_t children = end - l - 1;
    collapsed[l] = children > 0 && !on_first_path && shown + children > kManyLanes;
    l = collapsed[l] ? end : l + 1;
  }
  return collapsed;
}

std::uint32_t LaneBox::line_at(double at) const {
  const double thin = lines_height(thin_lines), within = std::max(at - rows_y(), 0.0);
  const double line = within < thin ? within / static_cast<double>(thin_height)
                                    : static_cast<double>(thin_lines) + (within - thin) / static_cast<double>(row_height);
  return static_cast<std::uint32_t>(std::min(line, static_cast<double>(line_count)));
}

LaneLayout::LaneLayout(const Trace& trace, const LaneState& state, const LaneMetrics& metrics, const RowRoom& room) {
  const ShownLanes shown = shown_lanes(trace, state);
  const bool overview = std::ranges::any_of(shown.lanes, &ShownLane::in_overview);
  const LaneMetrics sizes = overview ? metrics.scaled(state.overview_scale) : metrics;
  std::vector<std::uint32_t> titled;
  box_of_lane_.assign(trace.lanes.size(), kNoBox);
  for (const ShownLane& each : shown.lanes) {
    LaneBox box = make_box(trace, each.lane, each.collapsed, state.row_scale, sizes);
    box.overview_row = each.collapsed ? 0 : each.row;
    box.overview_levels = each.collapsed ? 0 : each.levels;
    box.first_slot = each.collapsed ? 0 : each.first_slot;
    box.thin_lines = each.collapsed ? 0 : each.thin;
    box.thin_height = sizes.thin_row;
    box.pinned = each.pinned;
    box.indent = each.indent;
    const auto at = static_cast<std::uint32_t>(boxes_.size());
    const std::size_t l = idx(each.lane), end = box.collapsed ? idx(trace.lanes[l].subtree_end) : l + 1;
    for (std::size_t within = l; within < end; ++within) {
      // Pinned boxes come first, so a lane that is shown twice keeps its pinned box.
      if (shown.has_box[within] && box_of_lane_[within] == kNoBox) box_of_lane_[within] = at;
    }
    if (each.whole_name) titled.push_back(at);
    boxes_.push_back(box);
  }
  size_rows(trace, state, sizes, room);
  std::vector<LaneId> lanes;
  for (const std::uint32_t at : titled) lanes.push_back(boxes_[at].lane);
  titles_ = lane_titles(trace, lanes);
  for (std::size_t i = 0; i < titled.size(); ++i) boxes_[titled[i]].title = static_cast<std::uint32_t>(i);
}

std::span<const LaneBox> LaneLayout::boxes_between(double y0, double y1) const {
  const auto first = std::partition_point(boxes_.begin(), boxes_.end(),
                                          [&](const LaneBox& box) { return box.bottom() <= y0; });
  const auto last = std::partition_point(first, boxes_.end(), [&](const LaneBox& box) { return box.y < y1; });
  return {first, last};
}

std::optional<LaneLayout::Place> LaneLayout::at(double y) const {
  if (y < 0 || y >= height_ || boxes_.empty()) return std::nullopt;
  const auto after =
      std::partition_point(boxes_.begin(), boxes_.end(), [&](const LaneBox& box) { return box.y <= y; });
  const LaneBox& box = after[-1];
  Place place{box.lane};
  using Part = Place::Part;
  if (y >= box.bottom()) {
    place.part = Part::Gap;
  } else if (box.collapsed) {
    place.part = Part::Summary;
  } else if (y < box.rows_y()) {
    place.part = Part::Header;
  } else if (y < box.instants_y()) {
    place.part = Part::Row;
    place.row = row_at(box, std::min(box.line_at(y), box.line_count - 1));
  } else if (y < box.counter_y()) {
    place.part = Part::Instants;
    place.row = *box.instants().begin();
  } else {
    place.part = Part::Counter;
  }
  return place;
}

double LaneLayout::middle_of(const Trace& trace, RowId row) const {
  const LaneBox& box = box_of(trace.row(row).lane);
  if (box.collapsed) return box.summary_y() + box.summary_height / 2;
  if (trace.row(row).kind == RowKind::Instants) return box.instants_y() + box.instants_height / 2;
  const std::uint32_t line = line_of(trace, box, row);
  return box.line_y(line) + static_cast<double>(box.line_height(line)) / 2;
}

float LaneLayout::height_of(const Trace& trace, RowId row) const {
  const LaneBox& box = box_of(trace.row(row).lane);
  if (box.collapsed) return box.summary_height;
  return trace.row(row).kind == RowKind::Instants ? box.instants_height : box.line_height(line_of(trace, box, row));
}

}  // namespace tv

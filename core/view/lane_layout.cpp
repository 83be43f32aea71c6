#include "core/view/lane_layout.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/query/lane_filter.h"

namespace tv {
namespace {

bool has_lanes_below(const Trace& trace, LaneId lane) {
  return idx(trace.lane(lane).subtree_end) > idx(lane) + 1;
}

struct RowCounts {
  std::uint32_t slices = 0;
  bool instants = false;
};

RowCounts rows_in(const Trace& trace, const Lane& lane) {
  RowCounts counts;
  for (const Row& row : trace.rows_of(lane)) {
    if (row.kind == RowKind::Slices) {
      ++counts.slices;
    } else {
      counts.instants = true;
    }
  }
  return counts;
}

float row_height_for(std::uint32_t rows, const LaneMetrics& metrics) {
  if (rows <= metrics.compact_above_rows) return metrics.row;
  return std::clamp(metrics.compact_lane / static_cast<float>(rows), metrics.compact_row_least,
                    metrics.compact_row_most);
}

std::vector<bool> collapsed_lanes(const Trace& trace, const LaneState& state) {
  std::vector<bool> collapsed = default_collapsed(trace);
  if (state.collapsed.empty()) return collapsed;
  const std::vector<std::string> keys = lane_keys(trace);
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    const auto chosen = state.collapsed.find(keys[l]);
    if (chosen != state.collapsed.end()) collapsed[l] = chosen->second;
  }
  return collapsed;
}

enum class Kept : std::uint8_t {
  No,
  Around,  // a group of lanes that are kept
  Itself,
};

// Which lanes a filter leaves: those it chooses, and the groups around them. One that cannot be understood leaves none.
std::vector<Kept> filtered_lanes(const Trace& trace, std::string_view filter) {
  std::vector<Kept> kept(trace.lanes.size(), Kept::No);
  const auto chosen = chosen_lanes(trace, filter);
  if (!chosen) return kept;
  for (std::size_t l = 0; l < kept.size(); ++l) {
    if (chosen.value().lanes[l]) kept[l] = Kept::Itself;
  }
  for (std::size_t l = trace.lanes.size(); l-- > 0;) {
    const LaneId around = trace.lanes[l].parent;
    if (kept[l] == Kept::No || around == kNone<LaneId>) continue;
    if (kept[idx(around)] == Kept::No) kept[idx(around)] = Kept::Around;
  }
  return kept;
}

// From top to bottom: a lane, then those below it. Lanes within what is collapsed are not among them.
std::vector<std::size_t> shown_lanes(const Trace& trace, const std::vector<bool>& collapsed, const std::vector<Kept>& kept,
                                     const std::vector<double>& weight) {
  std::vector<std::size_t> out;
  const bool weighed = weight.size() == trace.lanes.size();
  const auto heavier = [&](std::size_t a, std::size_t b) {
    return weight[a] > weight[b] || (std::isnan(weight[b]) && !std::isnan(weight[a]));
  };
  const auto add = [&](const auto& self, std::size_t first, std::size_t end) -> void {
    std::vector<std::size_t> siblings;
    for (std::size_t l = first; l < end; l = idx(trace.lanes[l].subtree_end)) {
      if (kept[l] != Kept::No) siblings.push_back(l);
    }
    if (weighed) std::ranges::stable_sort(siblings, heavier);
    for (const std::size_t l : siblings) {
      out.push_back(l);
      if (!collapsed[l]) self(self, l + 1, idx(trace.lanes[l].subtree_end));
    }
  };
  add(add, 0, trace.lanes.size());
  return out;
}

LaneBox make_box(const Trace& trace, LaneId id, bool collapsed, float row_scale, const LaneMetrics& metrics) {
  const Lane& lane = trace.lane(id);
  LaneBox box;
  box.lane = id;
  box.group = has_lanes_below(trace, id);
  box.collapsed = collapsed;
  box.first_row = lane.first_row;
  if (collapsed) {
    box.summary_height = metrics.summary;
    box.height = metrics.summary;
    return box;
  }
  const RowCounts rows = rows_in(trace, lane);
  box.header_height = box.group ? metrics.group_header : metrics.lane_header;
  box.row_count = rows.slices;
  box.row_height = row_height_for(rows.slices, metrics) * row_scale;
  if (rows.instants) box.instants_height = metrics.instants;
  if (lane.counter != UINT32_MAX) box.counter_height = metrics.counter * row_scale;
  box.height = box.header_height + static_cast<float>(box.row_count) * box.row_height + box.instants_height +
               box.counter_height;
  return box;
}

}  // namespace

LaneMetrics LaneMetrics::scaled(float factor) const {
  LaneMetrics out = *this;
  for (float* size :
       {&out.group_header, &out.lane_header, &out.row, &out.instants, &out.counter, &out.summary, &out.gap,
        &out.compact_row_least, &out.compact_row_most, &out.compact_lane}) {
    *size *= factor;
  }
  return out;
}

std::vector<std::string> lane_keys(const Trace& trace) {
  std::vector<std::string> keys;
  std::unordered_map<std::string, std::uint32_t> seen;
  keys.reserve(trace.lanes.size());
  for (const Lane& lane : trace.lanes) {  // a parent comes before its lanes
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
    // The first group is opened down to its first lane whatever its size: there is always something to see.
    const bool on_first_path = shown == l + 1 && lane.depth == l;
    const std::size_t children = end - l - 1;
    collapsed[l] = children > 0 && !on_first_path && shown + children > kManyLanes;
    l = collapsed[l] ? end : l + 1;
  }
  return collapsed;
}

LaneLayout::LaneLayout(const Trace& trace, const LaneState& state, const LaneMetrics& metrics) {
  std::vector<bool> collapsed = collapsed_lanes(trace, state);
  const std::vector<Kept> kept = filtered_lanes(trace, state.filter);
  for (std::size_t l = 0; l < collapsed.size(); ++l) {
    if (kept[l] == Kept::Around) collapsed[l] = false;  // what was asked for is in it
  }
  box_of_lane_.assign(trace.lanes.size(), kNoBox);
  for (const std::size_t l : shown_lanes(trace, collapsed, kept, state.weight)) {
    const auto id = id_at<LaneId>(l);
    LaneBox box = make_box(trace, id, collapsed[l], state.row_scale, metrics);
    box.y = height_;
    height_ = box.bottom() + metrics.gap;
    const std::size_t end = box.collapsed ? idx(trace.lanes[l].subtree_end) : l + 1;
    for (std::size_t within = l; within < end; ++within) {
      if (kept[within] != Kept::No) box_of_lane_[within] = static_cast<std::uint32_t>(boxes_.size());
    }
    boxes_.push_back(box);
  }
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
    const auto row = static_cast<std::uint32_t>((y - box.rows_y()) / box.row_height);
    place.row = id_at<RowId>(box.first_row + std::min(row, box.row_count - 1));
  } else if (y < box.counter_y()) {
    place.part = Part::Instants;
    place.row = id_at<RowId>(box.first_row + box.row_count);
  } else {
    place.part = Part::Counter;
  }
  return place;
}

double LaneLayout::middle_of(const Trace& trace, RowId row) const {
  const LaneBox& box = box_of(trace.row(row).lane);
  if (box.collapsed) return box.summary_y() + box.summary_height / 2;
  if (trace.row(row).kind == RowKind::Instants) return box.instants_y() + box.instants_height / 2;
  return box.row_y(static_cast<std::uint32_t>(row)) + box.row_height / 2;
}

void toggle_lane(const Trace& trace, LaneId lane, LaneState& state) {
  const std::string key = lane_keys(trace)[idx(lane)];
  const auto chosen = state.collapsed.find(key);
  const bool now = chosen != state.collapsed.end() ? chosen->second : default_collapsed(trace)[idx(lane)];
  state.collapsed.insert_or_assign(key, !now);
}

void set_all_collapsed(const Trace& trace, bool collapsed, LaneState& state) {
  for (const std::string& key : lane_keys(trace)) state.collapsed.insert_or_assign(key, collapsed);
}

void reveal_lane(const Trace& trace, LaneId lane, LaneState& state) {
  const std::vector<bool> collapsed = collapsed_lanes(trace, state);
  const std::vector<std::string> keys = lane_keys(trace);
  for (LaneId at = lane; at != kNone<LaneId>; at = trace.lane(at).parent) {
    if (collapsed[idx(at)]) state.collapsed.insert_or_assign(keys[idx(at)], false);
  }
  if (filtered_lanes(trace, state.filter)[idx(lane)] == Kept::No) state.filter.clear();
}

}  // namespace tv

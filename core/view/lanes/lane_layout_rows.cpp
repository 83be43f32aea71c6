// Which lines the boxes of a layout show, which rows are on these lines, and how high they are.
#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <ranges>

#include "core/view/lanes/lane_layout.h"

namespace tv {
namespace {

double whole_height(const LaneBox& box) {
  return static_cast<double>(box.header_height + box.instants_height + box.counter_height + box.summary_height) +
         box.lines_height(box.line_count);
}

template <class Value>
const Value* user_choice(const std::map<std::string, Value, std::less<>>& choices, const std::vector<std::string>& keys,
                      LaneId lane) {
  if (choices.empty()) return nullptr;
  const auto found = choices.find(keys[idx(lane)]);
  return found == choices.end() ? nullptr : &found->second;
}

// The time from the begin of the row's first slice to the end of its last.
TimeRange span_of(const Trace& trace, RowId row) {
  const RowSlices slices = trace.slices_of(trace.row(row));
  if (slices.size() == 0) return {std::numeric_limits<Ns>::min() / 2, std::numeric_limits<Ns>::min() / 2};
  return {slices.begin(0), slices.end(slices.size() - 1)};
}

}  // namespace

void LaneLayout::size_rows(const Trace& trace, const LaneState& state, const LaneMetrics& metrics,
                           const RowRoom& room) {
  const bool any_choice = !state.row_sizes.empty() || !state.depth_limits.empty();
  const std::vector<std::string> keys = any_choice ? lane_keys(trace) : std::vector<std::string>();
  bool any_many = false;
  for (LaneBox& box : boxes_) {
    if (box.collapsed) continue;
    const std::uint32_t* const chosen_levels = user_choice(state.depth_limits, keys, box.lane);
    const std::uint32_t levels = chosen_levels ? *chosen_levels : box.overview_levels > 0 ? box.overview_levels : UINT32_MAX;
    if (levels < UINT32_MAX || !box.as_rows || box.first_slot > 0) list_lines(trace, box, levels);
    const RowSize* const size = user_choice(state.row_sizes, keys, box.lane);
    const RowSize shown = size && *size != RowSize::Auto ? *size : RowSize::Normal;
    const bool of_overview = !size && box.overview_row > 0;
    box.thin_lines = size ? 0 : std::min(box.thin_lines, box.line_count - std::min(box.line_count, 1u));
    any_many = any_many || (!size && !of_overview && many_rows(box.line_count, metrics));
    box.row_size = of_overview ? RowSize::Compact : shown;
    box.row_height = (of_overview ? box.overview_row : row_height(shown, box.line_count, metrics)) * state.row_scale;
  }
  place(metrics);
  // Scaled rows keep their growth: scaling up must not make them lower.
  const bool scaled = state.row_scale != 1 && !any_many;
  if (scaled || height_ <= static_cast<double>(room.height_px)) {
    return grow(state.growth, metrics, scaled ? std::numeric_limits<float>::infinity() : room.height_px);
  }
  if (!any_many) return;
  for (LaneBox& box : boxes_) {
    if (box.collapsed || box.overview_row > 0 || !many_rows(box.line_count, metrics) ||
        user_choice(state.row_sizes, keys, box.lane))
      continue;
    const RowsOfLane rows{box.line_count, RowSize::Auto, typical_duration(trace, trace.lane(box.lane))};
    const double widest = widest_zoom(rows.typical_ns, metrics);
    if (room.ns_per_px > widest) {
      finest_ = std::max(finest_, widest);
    } else {
      coarsest_ = std::min(coarsest_, widest);
    }
    box.row_size = shown_size(rows, false, room.ns_per_px, metrics);
    box.row_height = row_height(box.row_size, box.line_count, metrics) * state.row_scale;
  }
  place(metrics);
}

namespace {
bool may_grow(const LaneBox& box) { return !box.collapsed && box.row_size == RowSize::Normal && box.line_count > 0; }
}  // namespace

void LaneLayout::grow(float growth, const LaneMetrics& metrics, float height_px) {
  if (growth <= 1) return;
  const auto scale_rows = [&](float by) {
    for (LaneBox& box : boxes_) {
      if (may_grow(box)) box.row_height *= by;
    }
    place(metrics);
  };
  scale_rows(growth);
  if (height_ > static_cast<double>(height_px)) scale_rows(1 / growth);
}

float LaneLayout::most_growth(const LaneMetrics& metrics, float height_px) const {
  double rows = 0;
  for (const LaneBox& box : boxes_) rows += may_grow(box) ? static_cast<double>(box.line_count - box.thin_lines) * static_cast<double>(box.row_height) : 0;
  const double free = static_cast<double>(height_px) - height_;
  if (rows <= 0 || free <= 0) return 1;
  // Tall rows stay higher than rows that merely grew into spare room.
  return std::min((1 + metrics.tall_row / metrics.row) / 2, static_cast<float>(1 + free / rows));
}

// The row's position, with the box's first slot moved to the top.
LinePlace LaneLayout::place_in(const LaneBox& box, const Row& row) {
  LinePlace at = row.place();
  if (at.slot == box.first_slot) {
    at.slot = 0;
  } else if (at.slot < box.first_slot) {
    ++at.slot;
  }
  return at;
}

// Lists the box's lines, cut to `depth` levels. Lists nothing if each row is a line of its own, in order and uncut.
void LaneLayout::list_lines(const Trace& trace, LaneBox& box, std::uint32_t depth) {
  const std::uint32_t all = box.line_count;
  const auto place = [&](RowId row) { return place_in(box, trace.row(row)); };
  const bool in_order = box.as_rows && box.first_slot == 0;
  const std::size_t first_row = rows_.size(), first_line = lines_.size();
  const IdRange<RowId> of_lane(box.first_row, box.slice_rows);
  std::ranges::copy_if(of_lane, std::back_inserter(rows_), [&](RowId row) { return trace.row(row).depth < depth; });
  if (rows_.size() == first_row) rows_.insert(rows_.end(), of_lane.begin(), of_lane.end());  // never cut everything
  const std::span<RowId> rows = std::span(rows_).subspan(first_row);
  if (!in_order) std::ranges::stable_sort(rows, {}, place);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r == 0 || lines_.back().place != place(rows[r])) {
      lines_.push_back({place(rows[r]), static_cast<std::uint32_t>(first_row + r), 0});
    }
    ++lines_.back().count;
  }
  const auto shown = static_cast<std::uint32_t>(lines_.size() - first_line);
  if (in_order && shown == all) return rows_.resize(first_row), lines_.resize(first_line);
  const auto begin_of = [&](RowId row) { return span_of(trace, row).begin; };
  for (const Line& line : std::span(lines_).subspan(first_line)) {
    if (line.count > 1) std::ranges::sort(std::span(rows_).subspan(line.first, line.count), {}, begin_of);
  }
  box.lines = static_cast<std::uint32_t>(first_line);
  box.hidden_lines = all - std::min(shown, all);
  box.line_count = shown;
}

void LaneLayout::place(const LaneMetrics& metrics) {
  height_ = pinned_height_ = 0;
  for (LaneBox& box : boxes_) {
    box.y = height_;
    box.height = static_cast<float>(whole_height(box));
    height_ = box.bottom() + static_cast<double>(metrics.gap);
    if (box.pinned) pinned_height_ = height_;
  }
}

// The line of the row; if the row is cut off, the last shown line above it.
std::uint32_t LaneLayout::line_of(const Trace& trace, const LaneBox& box, RowId row) const {
  if (box.lines == kAsRows) return static_cast<std::uint32_t>(idx(row)) - box.first_row;
  const auto lines = std::span(lines_).subspan(box.lines, box.line_count);
  const auto after = std::ranges::upper_bound(lines, place_in(box, trace.row(row)), {}, &Line::place) - lines.begin();
  return static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(after, 1) - 1);
}

bool LaneLayout::is_cut(const Trace& trace, RowId row) const {
  const LaneBox& box = box_of(trace.row(row).lane);
  if (box.collapsed || box.lines == kAsRows || trace.row(row).kind == RowKind::Instants) return false;
  return lines_[box.lines + line_of(trace, box, row)].place != place_in(box, trace.row(row));
}

std::span<const RowId> LaneLayout::rows_between(const Trace& trace, const Line& line, TimeRange range) const {
  const auto rows = std::span(rows_).subspan(line.first, line.count);
  if (rows.size() == 1) return rows;
  const auto ends_before = [&](RowId row) { return span_of(trace, row).end < range.begin; };
  const auto begins_in_time = [&](RowId row) { return span_of(trace, row).begin <= range.end; };
  const auto first = std::partition_point(rows.begin(), rows.end(), ends_before);
  return {first, std::partition_point(first, rows.end(), begins_in_time)};
}

LineCount count_lines(const Trace& trace, const Lane& lane, std::uint32_t levels) {
  const std::span<const Row> all = trace.rows_of(lane);
  const auto instants = std::ranges::find(all, RowKind::Instants, &Row::kind);
  const std::span<const Row> rows(all.begin(), instants);
  const auto is_shown = [&](const Row& row) { return row.depth < levels; };
  LineCount count{static_cast<std::uint32_t>(std::ranges::count_if(rows, is_shown)), instants == all.end() ? 0u : 1u};
  count.as_rows = std::ranges::adjacent_find(rows, std::ranges::greater_equal(), &Row::place) == rows.end();
  if (count.as_rows) return count;
  std::vector<LinePlace> places;
  for (const Row& row : rows) {
    if (is_shown(row)) places.push_back(row.place());
  }
  std::ranges::sort(places);
  count.of_slices = static_cast<std::uint32_t>(std::unique(places.begin(), places.end()) - places.begin());
  return count;
}

}  // namespace tv

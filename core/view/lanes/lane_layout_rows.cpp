// Which rows the boxes of a layout show, and how high.
#include <algorithm>

#include "core/view/lanes/lane_layout.h"

namespace tv {
namespace {

double height_of(const LaneBox& box) {
  return static_cast<double>(box.header_height + box.instants_height + box.counter_height + box.summary_height) +
         static_cast<double>(box.row_count) * static_cast<double>(box.row_height);
}

template <class Value>
const Value* asked_of(const std::map<std::string, Value, std::less<>>& state, const std::vector<std::string>& keys,
                      LaneId lane) {
  if (state.empty()) return nullptr;
  const auto found = state.find(keys[idx(lane)]);
  return found == state.end() ? nullptr : &found->second;
}

}  // namespace

void LaneLayout::size_rows(const Trace& trace, const LaneState& state, const LaneMetrics& metrics,
                           const RowRoom& room) {
  const bool asked = !state.row_sizes.empty() || !state.depth_limits.empty();
  const std::vector<std::string> keys = asked ? lane_keys(trace) : std::vector<std::string>();
  bool any_many = false;
  for (LaneBox& box : boxes_) {
    if (box.collapsed) continue;
    if (const std::uint32_t* const levels = asked_of(state.depth_limits, keys, box.lane)) cut(trace, box, *levels);
    const RowSize* const size = asked_of(state.row_sizes, keys, box.lane);
    const RowSize shown = size && *size != RowSize::Auto ? *size : RowSize::Normal;
    const bool of_overview = !size && box.overview_row > 0;
    any_many = any_many || (!size && !of_overview && many_rows(box.row_count, metrics));
    box.row_size = of_overview ? RowSize::Compact : shown;
    box.row_height = (of_overview ? box.overview_row : row_height(shown, box.row_count, metrics)) * state.row_scale;
  }
  place(metrics);
  if (!any_many || height_ <= static_cast<double>(room.height_px)) return;
  for (LaneBox& box : boxes_) {
    if (box.collapsed || box.overview_row > 0 || !many_rows(box.row_count, metrics) ||
        asked_of(state.row_sizes, keys, box.lane))
      continue;
    const RowsOfLane rows{box.row_count, RowSize::Auto, typical_duration(trace, trace.lane(box.lane))};
    const double widest = widest_zoom(rows.typical_ns, metrics);
    if (room.ns_per_px > widest) {
      finest_ = std::max(finest_, widest);
    } else {
      coarsest_ = std::min(coarsest_, widest);
    }
    box.row_size = shown_size(rows, false, room.ns_per_px, metrics);
    box.row_height = row_height(box.row_size, box.row_count, metrics) * state.row_scale;
  }
  place(metrics);
}

// Rows of a slot are numbered from outer to inner ones.
void LaneLayout::cut(const Trace& trace, LaneBox& box, std::uint32_t depth) {
  const auto first = static_cast<std::uint32_t>(cut_rows_.size());
  for (std::uint32_t r = box.first_row; r < box.first_row + box.row_count; ++r) {
    if (trace.rows[r].depth < depth) cut_rows_.push_back(r);
  }
  const auto shown = static_cast<std::uint32_t>(cut_rows_.size()) - first;
  if (shown == 0 || shown == box.row_count) return cut_rows_.resize(first);
  box.cut_rows = first;
  box.hidden_rows = box.row_count - shown;
  box.row_count = shown;
}

void LaneLayout::place(const LaneMetrics& metrics) {
  height_ = pinned_height_ = 0;
  for (LaneBox& box : boxes_) {
    box.y = height_;
    box.height = static_cast<float>(height_of(box));
    height_ = box.bottom() + static_cast<double>(metrics.gap);
    if (box.pinned) pinned_height_ = height_;
  }
}

std::uint32_t LaneLayout::line_of(const LaneBox& box, std::uint32_t row) const {
  if (box.cut_rows == UINT32_MAX) return row - box.first_row;
  const auto rows = std::span(cut_rows_).subspan(box.cut_rows, box.row_count);
  const auto after = std::ranges::upper_bound(rows, row) - rows.begin();
  return static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(after, 1) - 1);
}

bool LaneLayout::is_cut(const Trace& trace, RowId row) const {
  const LaneBox& box = box_of(trace.row(row).lane);
  if (box.collapsed || box.cut_rows == UINT32_MAX || trace.row(row).kind == RowKind::Instants) return false;
  return row_at(box, line_of(box, static_cast<std::uint32_t>(row))) != row;
}

}  // namespace tv

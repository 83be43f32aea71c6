// Row heights, and the lane that keys act on.
#include "core/session/workspace/workspace.h"

#include <algorithm>

#include "core/view/lanes/row_choice.h"

namespace tv {

void Workspace::set_mouse(const UnderMouse& at, SliceId hovered) {
  if (state_.command_use.covers()) return;
  static_cast<UnderMouse&>(state_.pointer) = at;
  state_.selection.hovered = hovered;
  if (!has(at.half)) state_.pointer.half = SplitHalf::Upper;
}

// Uses the target zoom: heights change once, not while the view glides.
RowRoom Workspace::row_room(SplitHalf half) const {
  return {state_.halves.height_of(half), state_.motion.view.target.span / static_cast<double>(state_.halves.geometry.width_px)};
}

// Keeps the place under the mouse fixed, or the middle if the mouse is elsewhere.
void Workspace::resize_rows() {
  struct FixedPlace {
    std::optional<LaneLayout::Place> at;
    double y = 0, scroll = 0, target = 0;
  };
  const auto height = [&](SplitHalf half, const LaneLayout::Place& at) {
    const LaneLayout& layout = of(half).layout;
    return at.row != kNone<RowId> ? layout.middle_of(trace(), at.row) : layout.box_of(at.lane).y;
  };
  std::array<FixedPlace, 2> fixed;
  for (const SplitHalf half : kHalves) {
    if (!has(half)) continue;
    const double y = state_.pointer.place && state_.pointer.half == half ? state_.pointer.y : static_cast<double>(state_.halves.height_of(half)) / 2;
    FixedPlace& place = fixed[ix(half)];
    place = {of(half).layout.at(of(half).scroll_y + y), 0, of(half).scroll_y, of(half).scroll_target};
    if (place.at) place.y = height(half, *place.at);
  }
  relayout();
  for (const SplitHalf half : kHalves) {
    const FixedPlace& place = fixed[ix(half)];
    if (!place.at || !of(half).layout.shows(place.at->lane)) continue;
    const double moved = height(half, *place.at) - place.y;
    of(half).scroll_y = clamped_scroll(place.scroll + moved, half);
    of(half).scroll_target = clamped_scroll(place.target + moved, half);
  }
}

// Opens the groups around the lane and scrolls to its top. A pinned lane is always in sight, so it needs no scrolling.
void Workspace::show_lane(LaneId lane) {
  constexpr double kMargin_px = 40;
  const SplitHalf half = half_for(lane, range_of(state_.view(state_.pointer.half)));
  reveal_lane(trace(), lane, state_.lanes.state);
  relayout();
  if (state_.halves.split && !of(half).layout.shows(lane)) {
    state_.halves.split->lanes[ix(half)].clear();
    relayout();
  }
  const LaneLayout& layout = of(half).layout;
  if (layout.shows(lane) && !layout.box_of(lane).pinned) scroll_to(layout.box_of(lane).y - kMargin_px, half);
}

LaneId Workspace::lane_meant() const {
  if (state_.pointer.place && idx(state_.pointer.place->lane) < trace().lanes.size()) return state_.pointer.place->lane;
  return state_.selection.has_slice() ? trace().row(trace().row_of(state_.selection.slice)).lane : kNone<LaneId>;
}

void Workspace::on(const command::CycleRowSize&) {
  const LaneId lane = lane_meant();
  const LaneLayout& layout = of(state_.pointer.half).layout;
  if (lane == kNone<LaneId> || !layout.shows(lane)) return;
  RowSize shown = RowSize::Normal;  // a group has the size of its first lane
  for (const LaneBox& box : layout.boxes()) {
    if (box.lane < lane || box.lane >= trace().lane(lane).subtree_end || box.line_count == 0) continue;
    shown = box.row_size;
    break;
  }
  tv::cycle_row_size(trace(), lane, shown, state_.lanes.state);
  resize_rows();
}

void Workspace::on(const command::CutLane&) {
  const LaneId lane = lane_meant();
  if (lane == kNone<LaneId>) return;
  const RowId under = state_.pointer.place ? state_.pointer.place->row : kNone<RowId>;
  const RowId selected = state_.selection.has_slice() ? trace().row_of(state_.selection.slice) : kNone<RowId>;
  std::uint32_t levels = 0;
  for (const RowId row : {selected, under}) {
    if (row == kNone<RowId> || idx(row) >= trace().rows.size()) continue;
    if (trace().row(row).lane == lane && trace().row(row).kind == RowKind::Slices) levels = trace().row(row).depth + 1u;
  }
  const LaneLayout& layout = of(state_.pointer.half).layout;
  if (levels == 0 && (!layout.shows(lane) || layout.box_of(lane).hidden_lines == 0)) return;
  toggle_depth_limit(trace(), lane, levels, state_.lanes.state);
  resize_rows();
}

void Workspace::on(const command::ScaleRows& c) {
  state_.lanes.row_steps = std::clamp(state_.lanes.row_steps + c.steps, kLeastSteps, kMostSteps);
  state_.lanes.state.row_scale = row_scale(state_.lanes.row_steps);
  resize_rows();
}

void Workspace::on(const command::SizeRows& c) {
  set_row_size(trace(), c.lane, c.size, state_.lanes.state);
  resize_rows();
}

void Workspace::on(const command::LimitDepth& c) {
  set_depth_limit(trace(), c.lane, c.levels, state_.lanes.state);
  resize_rows();
}

void Workspace::on(const command::ResetRows&) {
  state_.lanes.row_steps = 0;
  reset_rows(state_.lanes.state);
  resize_rows();
}

}  // namespace tv

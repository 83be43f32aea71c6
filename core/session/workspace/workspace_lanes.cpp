// Which lanes are shown, in which order, and what a fresh view opens.
#include <algorithm>
#include <set>
#include <string>

#include "core/session/workspace/workspace.h"
#include "core/view/lanes/first_view.h"
#include "core/view/lanes/lane_choice.h"
#include "core/view/lanes/shown_lanes.h"

namespace tv {
namespace {

// The first view of the whole window, without the height of the line that counts lanes.
FirstView first_view_of_window(const Snapshot& shown, const TimelineGeometry& geometry, const FirstViewOf& of) {
  return first_view(*shown.trace, *shown.index, geometry.metrics, geometry.height_px - geometry.metrics.group_header, of);
}

// The first view of one half, with its own metrics and height.
FirstView first_view_of_half(const Snapshot& shown, const LaneMetrics& metrics, float height, const FirstViewOf& of) {
  return first_view(*shown.trace, *shown.index, metrics, height - metrics.group_header, of);
}

void take_overview(const FirstView& first, LaneState& lanes) {
  lanes.overview = first.lanes;
  lanes.overview_scale = first.scale;
}

}  // namespace

// Makes the initial arrangement until the user first arranges lanes. From then on lanes keep their places, and new ones come
// last.
void Workspace::arrange_lanes() {
  const bool complete = snapshot_->complete;
  state_.lanes.first_order_complete |= complete && state_.lanes.untouched;
  state_.panels.set_wanted(first_panel(trace()));
  state_.lanes.state.first_order = first_order(trace(), *snapshot_->index, state_.lanes.first_order_complete);
  if (state_.lanes.sort) state_.lanes.state.weight = lane_weights(trace(), *state_.lanes.sort);
  if (!state_.lanes.overview) return;
  const FirstView first = first_view_of_window(*snapshot_, state_.halves.geometry, {state_.lanes.first_order_complete, row_waited_for(), {}});
  if (state_.lanes.untouched) return take_overview(first, state_.lanes.state);
  if (state_.lanes.state.overview.empty()) return;
  std::set<std::string> known;
  for (const OverviewLane& lane : state_.lanes.state.overview) known.insert(lane.key);
  for (const OverviewLane& lane : first.lanes) {
    if (known.insert(lane.key).second) state_.lanes.state.overview.push_back(lane);
  }
}

// The row with the bar of the request that cost most time; kNone: not known yet.
RowId Workspace::row_waited_for() const {
  const std::vector<Blame>& lost = run_.ledger().entries;
  const Rollout* const known = run_.rollout();
  if (lost.empty() || !known || known->trace != snapshot_->trace) return kNone<RowId>;
  const SliceId slice = known->slice[lost.front().request];
  return slice == kNone<SliceId> ? kNone<RowId> : trace().row_of(slice);
}

// The request is found in the background, after lanes were arranged, so lanes are arranged again.
void Workspace::follow_culprit() {
  if (!state_.lanes.untouched || row_waited_for() == kNone<RowId> || snapshot_->generation == state_.lanes.culprit_generation) return;
  state_.lanes.culprit_generation = snapshot_->generation;
  arrange_lanes();
  relayout();
}

LaneState Workspace::half_lanes(SplitHalf half) const {
  const std::vector<std::string>& chosen = state_.halves.split->lanes[ix(half)];
  const std::vector<bool> within = lanes_within(trace(), chosen);
  const FirstView first = overview_is_shown(state_.lanes.state)
                              ? first_view_of_half(*snapshot_, state_.halves.geometry.metrics, state_.halves.height_of(half),
                                                   {state_.lanes.first_order_complete, row_waited_for(), within})
                              : FirstView();
  LaneState out = lanes_of_half(trace(), state_.lanes.state, chosen, first.lanes);
  if (!first.lanes.empty()) out.overview_scale = first.scale;
  return out;
}

// Forgets the choices for the files that were open before.
void Workspace::forget_lane_choice() {
  state_.halves.split.reset();
  state_.pointer.half = SplitHalf::Upper;
  state_.lanes.state.hidden.clear();
  state_.lanes.state.only.clear();
  state_.lanes.state.pinned.clear();
  state_.lanes.state.dragged.clear();
  state_.lanes.sort.reset();
  state_.lanes.overview = true;
  state_.panels.forget();
}

void Workspace::on(const command::ToggleOverview&) {
  state_.lanes.overview = !state_.lanes.overview;
  if (state_.lanes.overview) {
    state_.lanes.state.collapsed.clear();
    take_overview(first_view_of_window(*snapshot_, state_.halves.geometry, {state_.lanes.first_order_complete, row_waited_for(), {}}),
                  state_.lanes.state);
  } else {
    set_all_collapsed(trace(), false, state_.lanes.state);
  }
  relayout();
  for (const SplitHalf half : kHalves) scroll_to(0, half);
}

// The named lanes; else the lane under the mouse, the lanes of the area, or the lane of the selected slice.
std::vector<LaneId> Workspace::lanes_meant(const std::vector<LaneId>& named) const {
  if (!named.empty()) return named;
  if (state_.pointer.place) return {state_.pointer.place->lane};
  if (state_.selection.range && !state_.selection.lanes.empty()) return state_.selection.lanes;
  if (state_.selection.has_slice()) return {trace().row(trace().row_of(state_.selection.slice)).lane};
  return {};
}

void Workspace::on(const command::ChooseLanes& choice) {
  using What = command::ChooseLanes::What;
  const std::vector<LaneId> lanes = lanes_meant(choice.lanes);
  switch (choice.what) {
    case What::Pin:
      toggle_pinned(trace(), lanes, state_.lanes.state);
      break;
    case What::Hide:
      hide_lanes(trace(), lanes, state_.lanes.state);
      break;
    case What::Isolate:
      if (state_.halves.split && !lanes.empty()) return on(command::ChooseSplitLanes{state_.pointer.half, lanes});  // in this half
      isolate_lanes(trace(), lanes, state_.lanes.state);
      break;
    case What::ShowAll:
      show_all_lanes(state_.lanes.state);
      if (state_.halves.split && !state_.halves.split->lanes[ix(state_.pointer.half)].empty()) {
        return on(command::ChooseSplitLanes{state_.pointer.half, {}});
      }
      break;
    case What::Invert:
      invert_lanes(trace(), state_.lanes.state);
      state_.lanes.overview = false;
      break;
  }
  state_.pointer.place.reset();  // another lane may be there now
  relayout();
}

void Workspace::on(const command::FoldLevels& fold) {
  const auto open = static_cast<std::int64_t>(open_levels(trace(), state_.lanes.state)) - fold.more;
  const std::int64_t wanted = fold.open ? *fold.open : open;
  open_to_level(trace(), static_cast<std::uint32_t>(std::clamp<std::int64_t>(wanted, 0, deepest_level(trace()))),
                state_.lanes.state);
  state_.lanes.overview = false;
  relayout();
}

void Workspace::on(const command::SortLanes& c) {
  state_.lanes.sort = c.by;
  state_.lanes.order.reset();
  state_.lanes.state.dragged.clear();
  state_.lanes.state.weight = c.by ? lane_weights(trace(), *c.by) : std::vector<double>();
  relayout();
}

void Workspace::on(const command::ToggleLane& c) {
  fold(c.lane, state_.pointer.half);
  relayout();
}

void Workspace::on(const command::CollapseAll& c) {
  set_all_collapsed(trace(), c.collapsed, state_.lanes.state);
  state_.lanes.overview = false;
  relayout();
}

void Workspace::on(const command::FilterLanes& c) {
  state_.lanes.state.filter = c.words;
  relayout();
  for (const SplitHalf half : kHalves) scroll_to(0, half);
}

void Workspace::on(const command::OrderLanes& c) {
  state_.lanes.order = c.by;
  state_.lanes.sort.reset();
  order_lanes();
}

void Workspace::on(const command::DragLane& c) {
  drag_lane(trace(), of(state_.pointer.half).layout, c.lane, c.before, state_.lanes.state);
  relayout();
}

void Workspace::on(const command::ScrollToLane& c) {
  const LaneLayout& layout = of(state_.pointer.half).layout;
  if (layout.shows(c.lane)) scroll_to(layout.box_of(c.lane).y, state_.pointer.half);
}

}  // namespace tv

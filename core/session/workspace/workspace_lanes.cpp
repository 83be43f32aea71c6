// Which lanes are shown, in which order, and what opens with them.
#include <algorithm>
#include <set>
#include <string>

#include "core/session/workspace/workspace.h"
#include "core/view/lanes/first_view.h"
#include "core/view/lanes/lane_choice.h"
#include "core/view/lanes/shown_lanes.h"

namespace tv {
namespace {

// Above the line that counts lanes.
FirstView seen_first(const Snapshot& shown, const TimelineGeometry& geometry, const FirstViewOf& of) {
  return first_view(*shown.trace, *shown.index, geometry.metrics, geometry.height_px - geometry.metrics.group_header, of);
}

// Of a half's own lanes, as high as it is.
FirstView seen_first_in_half(const Snapshot& shown, const LaneMetrics& metrics, float height, const FirstViewOf& of) {
  return first_view(*shown.trace, *shown.index, metrics, height - metrics.group_header, of);
}

void take_overview(const FirstView& first, LaneState& lanes) {
  lanes.overview = first.lanes;
  lanes.overview_scale = first.scale;
}

}  // namespace

// What is seen first, until somebody has done something: then lanes stay where they are, and what is new comes after them.
void Workspace::arrange_lanes() {
  const bool complete = snapshot_->complete;
  arranged_.first_sorted |= complete && arranged_.untouched;
  panels_.set_wanted(first_panel(trace()));
  arranged_.state.first_order = first_order(trace(), *snapshot_->index, arranged_.first_sorted);
  if (arranged_.sort) arranged_.state.weight = lane_weights(trace(), *arranged_.sort);
  if (!arranged_.overview) return;
  const FirstView first = seen_first(*snapshot_, halves_.geometry, {arranged_.first_sorted, row_waited_for(), {}});
  if (arranged_.untouched) return take_overview(first, arranged_.state);
  if (arranged_.state.overview.empty()) return;
  std::set<std::string> known;
  for (const OverviewLane& lane : arranged_.state.overview) known.insert(lane.key);
  for (const OverviewLane& lane : first.lanes) {
    if (known.insert(lane.key).second) arranged_.state.overview.push_back(lane);
  }
}

// Holds the bar of the request for which most time was lost; none: it is not known yet.
RowId Workspace::row_waited_for() const {
  const std::vector<Blame>& lost = run_.ledger().entries;
  const Rollout* const known = run_.rollout();
  if (lost.empty() || !known || known->trace != snapshot_->trace) return kNone<RowId>;
  const SliceId slice = known->slice[lost.front().request];
  return slice == kNone<SliceId> ? kNone<RowId> : trace().row_of(slice);
}

// The request is found in the background, after lanes were arranged, so arrange them again.
void Workspace::follow_culprit() {
  if (!arranged_.untouched || row_waited_for() == kNone<RowId> || snapshot_->generation == arranged_.culprit_known_of) return;
  arranged_.culprit_known_of = snapshot_->generation;
  arrange_lanes();
  relayout();
}

LaneState Workspace::half_lanes(SplitHalf half) const {
  const std::vector<std::string>& chosen = halves_.split->lanes[ix(half)];
  const std::vector<bool> within = lanes_within(trace(), chosen);
  const FirstView first = overview_is_shown(arranged_.state) ? seen_first_in_half(*snapshot_, halves_.geometry.metrics, halves_.height_of(half),
                                                                         {arranged_.first_sorted, row_waited_for(), within})
                                                    : FirstView();
  LaneState out = lanes_of_half(trace(), arranged_.state, chosen, first.lanes);
  if (!first.lanes.empty()) out.overview_scale = first.scale;
  return out;
}

// Of what was open before.
void Workspace::forget_lane_choice() {
  halves_.split.reset();
  pointer_.half = SplitHalf::Upper;
  arranged_.state.hidden.clear();
  arranged_.state.only.clear();
  arranged_.state.pinned.clear();
  arranged_.state.dragged.clear();
  arranged_.sort.reset();
  arranged_.overview = true;
  panels_.forget();
}

void Workspace::on(const command::ToggleOverview&) {
  arranged_.overview = !arranged_.overview;
  if (arranged_.overview) {
    arranged_.state.collapsed.clear();
    take_overview(seen_first(*snapshot_, halves_.geometry, {arranged_.first_sorted, row_waited_for(), {}}), arranged_.state);
  } else {
    set_all_collapsed(trace(), false, arranged_.state);
  }
  relayout();
  for (const SplitHalf half : kHalves) scroll_to(0, half);
}

// Those named; else the one under the mouse, those of the area, that of the selected slice.
std::vector<LaneId> Workspace::lanes_meant(const std::vector<LaneId>& named) const {
  if (!named.empty()) return named;
  if (pointer_.place) return {pointer_.place->lane};
  if (selection_.range && !selection_.lanes.empty()) return selection_.lanes;
  if (selection_.has_slice()) return {trace().row(trace().row_of(selection_.slice)).lane};
  return {};
}

void Workspace::on(const command::ChooseLanes& choice) {
  using What = command::ChooseLanes::What;
  const std::vector<LaneId> lanes = lanes_meant(choice.lanes);
  switch (choice.what) {
    case What::Pin:
      toggle_pinned(trace(), lanes, arranged_.state);
      break;
    case What::Hide:
      hide_lanes(trace(), lanes, arranged_.state);
      break;
    case What::Isolate:
      if (halves_.split && !lanes.empty()) return on(command::ChooseSplitLanes{pointer_.half, lanes});  // of this half
      isolate_lanes(trace(), lanes, arranged_.state);
      break;
    case What::ShowAll:
      show_all_lanes(arranged_.state);
      if (halves_.split && !halves_.split->lanes[ix(pointer_.half)].empty()) return on(command::ChooseSplitLanes{pointer_.half, {}});
      break;
    case What::Invert:
      invert_lanes(trace(), arranged_.state);
      arranged_.overview = false;
      break;
  }
  pointer_.place.reset();  // another one is there now
  relayout();
}

void Workspace::on(const command::FoldLevels& fold) {
  const auto open = static_cast<std::int64_t>(open_levels(trace(), arranged_.state)) - fold.more;
  const std::int64_t wanted = fold.open ? *fold.open : open;
  open_to_level(trace(), static_cast<std::uint32_t>(std::clamp<std::int64_t>(wanted, 0, deepest_level(trace()))),
                arranged_.state);
  arranged_.overview = false;
  relayout();
}

void Workspace::on(const command::SortLanes& c) {
  arranged_.sort = c.by;
  arranged_.order.reset();
  arranged_.state.dragged.clear();
  arranged_.state.weight = c.by ? lane_weights(trace(), *c.by) : std::vector<double>();
  relayout();
}

void Workspace::on(const command::ToggleLane& c) {
  fold(c.lane, pointer_.half);
  relayout();
}

void Workspace::on(const command::CollapseAll& c) {
  set_all_collapsed(trace(), c.collapsed, arranged_.state);
  arranged_.overview = false;
  relayout();
}

void Workspace::on(const command::FilterLanes& c) {
  arranged_.state.filter = c.words;
  relayout();
  for (const SplitHalf half : kHalves) scroll_to(0, half);
}

void Workspace::on(const command::OrderLanes& c) {
  arranged_.order = c.by;
  arranged_.sort.reset();
  order_lanes();
}

void Workspace::on(const command::DragLane& c) {
  drag_lane(trace(), of(pointer_.half).layout, c.lane, c.before, arranged_.state);
  relayout();
}

void Workspace::on(const command::ScrollToLane& c) {
  const LaneLayout& layout = of(pointer_.half).layout;
  if (layout.shows(c.lane)) scroll_to(layout.box_of(c.lane).y, pointer_.half);
}

}  // namespace tv

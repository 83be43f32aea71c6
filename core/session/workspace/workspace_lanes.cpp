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
  first_sorted_ |= complete && untouched_;
  panels_.set_wanted(first_panel(trace()));
  lanes_.first_order = first_order(trace(), *snapshot_->index, first_sorted_);
  if (lane_sort_) lanes_.weight = lane_weights(trace(), *lane_sort_);
  if (!overview_on_) return;
  const FirstView first = seen_first(*snapshot_, geometry_, {first_sorted_, row_waited_for(), {}});
  if (untouched_) return take_overview(first, lanes_);
  if (lanes_.overview.empty()) return;
  std::set<std::string> known;
  for (const OverviewLane& lane : lanes_.overview) known.insert(lane.key);
  for (const OverviewLane& lane : first.lanes) {
    if (known.insert(lane.key).second) lanes_.overview.push_back(lane);
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
  if (!untouched_ || row_waited_for() == kNone<RowId> || snapshot_->generation == culprit_known_of_) return;
  culprit_known_of_ = snapshot_->generation;
  arrange_lanes();
  relayout();
}

LaneState Workspace::half_lanes(SplitHalf half) const {
  const std::vector<std::string>& chosen = split_->lanes[ix(half)];
  const std::vector<bool> within = lanes_within(trace(), chosen);
  const FirstView first = overview_is_shown(lanes_) ? seen_first_in_half(*snapshot_, geometry_.metrics, height_of(half),
                                                                         {first_sorted_, row_waited_for(), within})
                                                    : FirstView();
  LaneState out = lanes_of_half(trace(), lanes_, chosen, first.lanes);
  if (!first.lanes.empty()) out.overview_scale = first.scale;
  return out;
}

// Of what was open before.
void Workspace::forget_lane_choice() {
  split_.reset();
  mouse_half_ = SplitHalf::Upper;
  lanes_.hidden.clear();
  lanes_.only.clear();
  lanes_.pinned.clear();
  lanes_.dragged.clear();
  lane_sort_.reset();
  overview_on_ = true;
  panels_.forget();
}

void Workspace::on(const command::ToggleOverview&) {
  overview_on_ = !overview_on_;
  if (overview_on_) {
    lanes_.collapsed.clear();
    take_overview(seen_first(*snapshot_, geometry_, {first_sorted_, row_waited_for(), {}}), lanes_);
  } else {
    set_all_collapsed(trace(), false, lanes_);
  }
  relayout();
  for (const SplitHalf half : kHalves) scroll_to(0, half);
}

// Those named; else the one under the mouse, those of the area, that of the selected slice.
std::vector<LaneId> Workspace::lanes_meant(const std::vector<LaneId>& named) const {
  if (!named.empty()) return named;
  if (mouse_place_) return {mouse_place_->lane};
  if (selection_.range && !selection_.lanes.empty()) return selection_.lanes;
  if (selection_.has_slice()) return {trace().row(trace().row_of(selection_.slice)).lane};
  return {};
}

void Workspace::on(const command::ChooseLanes& choice) {
  using What = command::ChooseLanes::What;
  const std::vector<LaneId> lanes = lanes_meant(choice.lanes);
  switch (choice.what) {
    case What::Pin:
      toggle_pinned(trace(), lanes, lanes_);
      break;
    case What::Hide:
      hide_lanes(trace(), lanes, lanes_);
      break;
    case What::Isolate:
      if (split_ && !lanes.empty()) return on(command::ChooseSplitLanes{mouse_half_, lanes});  // of this half
      isolate_lanes(trace(), lanes, lanes_);
      break;
    case What::ShowAll:
      show_all_lanes(lanes_);
      if (split_ && !split_->lanes[ix(mouse_half_)].empty()) return on(command::ChooseSplitLanes{mouse_half_, {}});
      break;
    case What::Invert:
      invert_lanes(trace(), lanes_);
      overview_on_ = false;
      break;
  }
  mouse_place_.reset();  // another one is there now
  relayout();
}

void Workspace::on(const command::FoldLevels& fold) {
  const auto open = static_cast<std::int64_t>(open_levels(trace(), lanes_)) - fold.more;
  const std::int64_t wanted = fold.open ? *fold.open : open;
  open_to_level(trace(), static_cast<std::uint32_t>(std::clamp<std::int64_t>(wanted, 0, deepest_level(trace()))),
                lanes_);
  overview_on_ = false;
  relayout();
}

void Workspace::on(const command::SortLanes& c) {
  lane_sort_ = c.by;
  lane_order_.reset();
  lanes_.dragged.clear();
  lanes_.weight = c.by ? lane_weights(trace(), *c.by) : std::vector<double>();
  relayout();
}

void Workspace::on(const command::ToggleLane& c) {
  fold(c.lane, mouse_half_);
  relayout();
}

void Workspace::on(const command::CollapseAll& c) {
  set_all_collapsed(trace(), c.collapsed, lanes_);
  overview_on_ = false;
  relayout();
}

void Workspace::on(const command::FilterLanes& c) {
  lanes_.filter = c.words;
  relayout();
  for (const SplitHalf half : kHalves) scroll_to(0, half);
}

void Workspace::on(const command::OrderLanes& c) {
  lane_order_ = c.by;
  lane_sort_.reset();
  order_lanes();
}

void Workspace::on(const command::DragLane& c) {
  drag_lane(trace(), of(mouse_half_).layout, c.lane, c.before, lanes_);
  relayout();
}

void Workspace::on(const command::ScrollToLane& c) {
  const LaneLayout& layout = of(mouse_half_).layout;
  if (layout.shows(c.lane)) scroll_to(layout.box_of(c.lane).y, mouse_half_);
}

}  // namespace tv

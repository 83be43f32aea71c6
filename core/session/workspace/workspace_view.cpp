// The visible part: time, scroll position, and bringing things into sight.
#include <algorithm>
#include <cmath>

#include "core/query/lane_filter.h"
#include "core/session/workspace/workspace.h"
#include "core/view/lanes/lane_choice.h"
#include "core/view/lanes/row_choice.h"
#include "core/view/lanes/shown_lanes.h"
#include "core/view/timeline/minimap.h"

namespace tv {
namespace {

constexpr double kScrollHalf_s = 0.06;  // time constant of scrolling, the same as for zooming and panning

TimeRange earlier(TimeRange time, Ns by) { return {time.begin - by, time.end - by}; }

}  // namespace

TimeRange Workspace::reach() const {
  TimeRange all = reachable_extent(trace());
  const TimeRange lower = earlier(all, later(SplitHalf::Lower));
  all.include(lower.begin, lower.end);
  return all;
}

TimeRange Workspace::whole() const {
  if (!state_.halves.split) return shown_extent(trace());
  TimeRange all = state_.halves.upper.extent;
  const TimeRange lower = earlier(state_.halves.lower.extent, later(SplitHalf::Lower));
  all.include(lower.begin, lower.end);
  return {all.begin, std::max(all.end, all.begin + kMicrosecond)};
}

// ---- time

void Workspace::go(const Viewport& target) {
  return_to(target);
  visit();
}

void Workspace::return_to(const std::optional<Visit>& visit) {
  if (!visit) return;
  return_to(visit->view);
  run_.set_chips(visit->filters);
}

void Workspace::return_to(const Viewport& target) {
  state_.motion.view.target = clamp(target, reach());
  const TimeRange shown = whole();
  const Viewport& clamped = state_.motion.view.target;
  state_.motion.fitted = clamped.begin <= static_cast<double>(shown.begin) && clamped.end() >= static_cast<double>(shown.end);
}

void Workspace::navigate(const HeldKeys& keys, double dt_s, double anchor01) {
  const Viewport next = state_.motion.navigation.step(state_.motion.view.target, keys, dt_s, anchor01, state_.halves.geometry.width_px, reach());
  if (next == state_.motion.view.target) return;
  state_.lanes.untouched = false;
  go(next);
}

void Workspace::fit_to(TimeRange time, LaneId lane) {
  go(fit_selected(state_.motion.view.target, earlier(time, later(half_for(lane, time))), reach()));
}

// ---- lanes

void Workspace::relayout() {
  if (state_.lanes.untouched) {
    state_.lanes.state.growth = 1;
    const LaneLayout plain(trace(), state_.lanes.state, state_.halves.geometry.metrics, row_room(SplitHalf::Upper));
    // Reserve space for the line that shows the number of lanes.
    const float line = state_.halves.geometry.metrics.group_header, height = state_.halves.height_of(SplitHalf::Upper) - line;
    const bool all = snapshot_->complete && state_.lanes.state.overview.empty() && plain.height() > 0 &&
                     plain.height() <= static_cast<double>(height);
    constexpr float kToClick = 2;  // free lines below the lanes
    state_.lanes.all_lanes_px = all ? static_cast<float>(plain.height()) + (1 + kToClick) * line : 0;
    state_.lanes.state.growth = plain.most_growth(state_.halves.geometry.metrics, all ? height - kToClick * line : height);
  }
  for (const SplitHalf half : kHalves) {
    if (has(half)) lay_out(half);
  }
  ++state_.halves.layout_version;
  state_.lanes.complaint.clear();
  if (const auto understood = chosen_lanes(trace(), state_.lanes.state.filter); !understood) state_.lanes.complaint = understood.error().text();
}

void Workspace::lay_out(SplitHalf half) {
  TimelineHalf& it = of(half);
  const double pinned = it.layout.pinned_height();
  const bool has_own_lanes = state_.halves.split && !state_.halves.split->lanes[ix(half)].empty();
  const LaneState chosen = has_own_lanes ? half_lanes(half) : LaneState();
  const LaneState& lanes = has_own_lanes ? chosen : state_.lanes.state;
  it.layout = LaneLayout(trace(), lanes, state_.halves.geometry.metrics, row_room(half));
  // Whatever is below the pinned lanes stays where it is on the screen.
  it.scroll_y += it.layout.pinned_height() - pinned;
  it.scroll_target += it.layout.pinned_height() - pinned;
  it.lanes_text = text(count_lanes(trace(), lanes));
  if (state_.halves.split) it.extent = extent_on(trace(), state_.halves.split->lanes[ix(half)]);
}

// Inverts the lane's state in this half, because the other half may show the lane in another state.
void Workspace::fold(LaneId lane, SplitHalf half) {
  const LaneLayout& layout = of(half).layout;
  if (!state_.halves.split || idx(lane) >= trace().lanes.size() || !layout.shows(lane)) return toggle_lane(trace(), lane, state_.lanes.state);
  state_.lanes.state.collapsed.insert_or_assign(lane_keys(trace())[idx(lane)], !layout.box_of(lane).collapsed);
}

void Workspace::glide(SplitHalf half, double dt_s) {
  if (!has(half)) return;
  TimelineHalf& it = of(half);
  it.scroll_target = clamped_scroll(it.scroll_target, half);
  const double rest = it.scroll_target - it.scroll_y;
  it.scroll_y = std::abs(rest) < 0.5 ? it.scroll_target : it.scroll_y + rest * (1 - std::exp(-dt_s / kScrollHalf_s));
}

double Workspace::clamped_scroll(double y, SplitHalf half) const {
  const double top = of(half).layout.pinned_height();
  return std::clamp(y, top, std::max(top, scrolled_height(half) - static_cast<double>(state_.halves.height_of(half))));
}

double Workspace::scrolled_height(SplitHalf half) const {
  const TimelineHalf& it = of(half);
  const bool lined = !it.lanes_text.empty() || coloring_.colors();
  return it.layout.height() + static_cast<double>(lined ? state_.halves.geometry.metrics.group_header : 0);
}

// ---- bringing things into sight

// Brings a slice into sight: expands its groups, scrolls to its row, moves to its time, and zooms in if it would be too narrow to
// see.
void Workspace::reveal(SliceId slice, double least_px) {
  const SplitHalf half = reveal_row(slice);
  const Viewport to = show_selected(state_.motion.view.target, earlier(trace().range_of(slice), later(half)), reach(),
                                    least_px / static_cast<double>(state_.halves.geometry.width_px));
  if (!(to == state_.motion.view.target)) go(to);
}

SplitHalf Workspace::reveal_row(SliceId slice) {
  const SplitHalf half = half_for(trace().row(trace().row_of(slice)).lane, trace().range_of(slice));
  reveal_row(slice, half);
  return half;
}

void Workspace::reveal_row(SliceId slice, SplitHalf half) {
  const RowId row = trace().row_of(slice);
  const LaneId lane = trace().row(row).lane;
  reveal_lane(trace(), lane, state_.lanes.state);
  relayout();
  const TimelineHalf& it = of(half);
  if (state_.halves.split && !it.layout.shows(lane)) {
    state_.halves.split->lanes[ix(half)].clear();
    relayout();
  }
  if (state_.halves.split && it.layout.box_of(lane).collapsed && it.layout.box_of(lane).lane == lane) {
    fold(lane, half);
    relayout();
  }
  if (it.layout.is_cut(trace(), row)) {
    toggle_depth_limit(trace(), lane, 0, state_.lanes.state);
    relayout();
  }
  const double y = it.layout.middle_of(trace(), row), height = static_cast<double>(state_.halves.height_of(half)), margin = 40;
  const bool pinned = it.layout.box_of(lane).pinned;
  if (pinned) {
    // Pinned lanes have an area of their own.
  } else if (y < it.scroll_target + margin || y > it.scroll_target + height - margin) {
    scroll_to(y - height / 2, half);
  }
}

void Workspace::step_selection(std::optional<SliceId> next) {
  if (!next) return;
  select(*next, false);
  reveal(*next, 0);  // keeps the zoom while stepping through neighbours
}

void Workspace::fit_slice(SliceId slice) {
  const SplitHalf half = reveal_row(slice);
  go(fit_selected(state_.motion.view.target, earlier(trace().range_of(slice), later(half)), reach()));
}

void Workspace::on(const command::FitAll&) { go(fit(whole(), reach())); }
void Workspace::on(const command::ZoomTo& c) { go(fit(c.range, reach(), 0)); }
void Workspace::on(const command::ZoomBy& c) { go(zoom_at(state_.motion.view.target, c.anchor01, c.factor, reach())); }
void Workspace::on(const command::Back&) { return_to(state_.motion.history.back()); }
void Workspace::on(const command::Forward&) { return_to(state_.motion.history.forward()); }

void Workspace::on(const command::FitSelection&) {
  if (!state_.selection.range && state_.selection.has_slice() && state_.selection.also.empty()) {
    fit_slice(state_.selection.slice);
  } else if (const auto time = selected_time()) {
    fit_to(*time);
  }
}

void Workspace::on(const command::PanBy& c) {
  // No animation: the dragged point must stay under the mouse.
  go(pan(state_.motion.view.target, c.spans, reach()));
  state_.motion.view.jump(state_.motion.view.target);
}

void Workspace::on(const command::ShowTime& c) {
  go({c.begin, c.span});
  state_.motion.view.jump(state_.motion.view.target);
}

void Workspace::on(const command::ScrollBy& c) {
  const SplitHalf half = c.half.value_or(state_.pointer.half);
  if (has(half)) scroll_to(of(half).scroll_target + c.pixels, half);
}

// Ends all animations.
void Workspace::jump_to_targets() {
  state_.motion.view.jump(state_.motion.view.target);
  for (const SplitHalf half : kHalves) {
    if (has(half)) of(half).scroll_y = of(half).scroll_target = clamped_scroll(of(half).scroll_target, half);
  }
}

}  // namespace tv

// Going to typed places, walking gaps, formatting times, and closing layers with Esc.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/session/workspace/workspace.h"
#include "core/view/menus/go_to.h"

namespace tv {
namespace {

constexpr std::size_t kMostGapsOfLane = 1000;  // per lane, when the gaps of all lanes are walked

}  // namespace

// ---- gaps

void Workspace::select_gap(const Gap& gap, bool reveal_it) {
  if (idx(gap.lane) >= trace().lanes.size() || gap.before == kNone<SliceId> || gap.after == kNone<SliceId>) return;
  state_.selected.details.reset();
  state_.selected.differences.clear();
  state_.selection.select_gap(*snapshot_, gap);
  describe_gap(gap);
  if (state_.selected.walked_gaps.generation == snapshot_->generation && state_.selected.walked_gaps.layout == state_.halves.layout_version) {
    state_.selected.gap->place = place_among(state_.selected.walked_gaps.gaps, gap, state_.selected.walked_gaps.lane != kNone<LaneId>);
  }
  if (!reveal_it) return;
  reveal_row(gap.before);
  fit_to(gap.time, gap.lane);
}

void Workspace::describe_gap(const Gap& gap) {
  const auto& gpus = run_.data().gpu;
  state_.selected.gap_explained = gpus && gpus->trace == snapshot_->trace;
  state_.selected.gap = gap_details(*snapshot_, gpus.get(), gap);
}

// The analysis of the shown trace, which knows the reasons for gaps of GPUs, becomes ready later than the trace.
void Workspace::explain_gap() {
  const auto& gpus = run_.data().gpu;
  if (!state_.selected.gap || state_.selected.gap_explained || !gpus || gpus->trace != snapshot_->trace) return;
  const GapDetails before = std::move(*state_.selected.gap);
  describe_gap(before.gap);
  state_.selected.gap->place = before.place;
}

// Walks through the gaps of the selection's lane, else of the lane under the mouse, else of all shown lanes.
void Workspace::on(const command::NextGap& c) {
  LaneId lane = state_.pointer.place ? state_.pointer.place->lane : kNone<LaneId>;
  const bool walking_all = state_.selected.gap && state_.selected.walked_gaps.generation == snapshot_->generation &&
                           state_.selected.walked_gaps.lane == kNone<LaneId> &&
                           std::ranges::find(state_.selected.walked_gaps.gaps, state_.selected.gap->gap) != state_.selected.walked_gaps.gaps.end();
  if (state_.selected.gap) lane = walking_all ? kNone<LaneId> : state_.selected.gap->gap.lane;
  if (state_.selection.has_slice()) lane = trace().row(trace().row_of(state_.selection.slice)).lane;
  if (lane != kNone<LaneId> && trace().lane(lane).row_count == 0) lane = kNone<LaneId>;
  if (state_.selected.walked_gaps.generation != snapshot_->generation || state_.selected.walked_gaps.layout != state_.halves.layout_version ||
      state_.selected.walked_gaps.lane != lane) {
    return find_gaps(lane, c.shorter);
  }
  walk_gaps(c.shorter);
}

void Workspace::find_gaps(LaneId lane, bool shorter) {
  std::vector<LaneId> lanes;
  for (const LaneBox& box : of(state_.pointer.half).layout.boxes()) {
    if (lane == kNone<LaneId> && trace().lane(box.lane).slices > 0) lanes.push_back(box.lane);
  }
  WalkedGaps walked{snapshot_->generation, state_.halves.layout_version, lane, {}};
  count_first("looking for gaps", [this, walked = std::move(walked), lanes = std::move(lanes), shorter, asked = snapshot_](
                                      ThreadPool& pool, std::stop_token) mutable {
    const Trace& trace = *asked->trace;
    const bool all = walked.lane == kNone<LaneId>;
    walked.gaps = all ? gaps_of_lanes(trace, lanes, kMostGapsOfLane, pool) : gaps_of_lane(trace, walked.lane);
    return [this, walked = std::move(walked), shorter]() mutable {
      if (walked.generation != snapshot_->generation) return;
      state_.selected.walked_gaps = std::move(walked);
      state_.selected.walked_gaps.layout = state_.halves.layout_version;  // the gaps are of the lanes at the time of the question
      walk_gaps(shorter);
    };
  });
}

void Workspace::walk_gaps(bool shorter) {
  const LaneId lane = state_.selected.walked_gaps.lane;
  if (state_.selected.walked_gaps.gaps.empty()) {
    notice_ = lane == kNone<LaneId> ? "no lane that is shown has a gap" : "this lane has no gap";
    return;
  }
  const auto at = state_.selected.gap ? std::ranges::find(state_.selected.walked_gaps.gaps, state_.selected.gap->gap)
                                      : state_.selected.walked_gaps.gaps.end();
  if (at == state_.selected.walked_gaps.gaps.end())
    return select_gap(shorter ? state_.selected.walked_gaps.gaps.front() : state_.selected.walked_gaps.gaps.back(), true);
  if (shorter ? at + 1 == state_.selected.walked_gaps.gaps.end() : at == state_.selected.walked_gaps.gaps.begin()) {
    notice_ = shorter ? "there is no shorter gap" : "there is no longer gap";
    return;
  }
  select_gap(Gap(shorter ? at[1] : at[-1]), true);
  state_.selected.walked_gaps.layout = state_.halves.layout_version;  // opening a lane changes the layout, but not the gaps
  state_.selected.gap->place = place_among(state_.selected.walked_gaps.gaps, state_.selected.gap->gap, lane != kNone<LaneId>);
}

// ---- places

// An error is shown in the box; on success the box closes.
void Workspace::on(const command::GoTo& c) {
  state_.boxes.go_to_complaint.clear();
  go_to_place(c.text);
  if (state_.boxes.go_to_complaint.empty()) state_.boxes.go_to = false;
}

void Workspace::go_to_place(const std::string& text) {
  const auto found = find_place(trace(), run_.data(), state_.times.style(), text);
  if (!found) {
    state_.boxes.go_to_complaint = found.error().text();
    return;
  }
  const GoToPlace& place = found.value();
  notice_ = place.description;
  if (place.rollout_step) return on(command::GoToStep{*place.rollout_step});
  if (place.training_line) return on(command::GoToTrainingStep{*place.training_line});
  if (place.request) return select_request(*place.request, true);
  if (place.range) return fit_to(*place.range);
  if (place.lane != kNone<LaneId>) return show_lane(place.lane);
  if (!place.time) return;
  // While everything is in sight, the middle of the view cannot move: zoom in to a tenth, so that the place is visible.
  const Viewport now = state_.motion.fitted ? Viewport{state_.motion.view.target.begin, state_.motion.view.target.span / 10}
                                            : state_.motion.view.target;
  go(center_on(now, static_cast<double>(*place.time - later(state_.pointer.half)), reach()));
  state_.notes.list.add({{*place.time, *place.time}});
}

// ---- how times are written

void Workspace::set_time_format(std::optional<TimeFormat> format) {
  const bool steps = run_.data().steps && !run_.data().steps->empty();
  state_.times.choose(format ? *format : state_.times.next(trace(), steps));
  follow_time_style();
}

// The step in the middle of the view, or the last before it; while everything is in sight, the current one, or the first.
void Workspace::follow_time_style() {
  const StepSource* source = nullptr;
  if (state_.times.format() == TimeFormat::SinceStep && run_.data().steps && !run_.data().steps->empty()) {
    source = step_source();
    if (!source) source = &run_.data().steps->front();
  }
  const auto step_then = [&](Ns t) -> std::optional<StepTime> {
    if (!source) return std::nullopt;
    const auto after =
        std::ranges::partition_point(source->steps, [&](const StepRange& s) { return s.range.begin <= t; });
    const StepRange& step = after == source->steps.begin() ? *after : *std::prev(after);
    return StepTime{step.name, step.range.begin};
  };
  const auto& looked_at = run_.question().step;
  const Ns middle = static_cast<Ns>(state_.motion.view.target.begin + state_.motion.view.target.span / 2);
  Ns t = middle;
  if (state_.motion.fitted && source && !state_.halves.split)
    t = looked_at && run_.rollout() ? run_.rollout()->steps[*looked_at].extent.begin : source->steps.front().range.begin;
  const std::optional<StepTime> step = step_then(t), below = state_.halves.split ? step_then(middle + later(SplitHalf::Lower)) : std::nullopt;
  state_.times.follow(trace(), snapshot_->generation, step, below);
}

// ---- layers

// Closes one layer per press: command box, note name, help, dialog, go-to box, search, brush, area, singled-out name, selection.
void Workspace::on(const command::ClearSelection&) {
  if (state_.command_use.covers()) {
    state_.command_use.box.reset();
    state_.command_use.menus = false;
  } else if (state_.notes.naming) {
    state_.notes.naming.reset();
  } else if (state_.boxes.help) {
    state_.boxes.help = false;
  } else if (state_.boxes.dialog) {
    state_.boxes.dialog = false;
  } else if (state_.boxes.go_to) {
    state_.boxes.go_to = false;
  } else if (state_.boxes.search || !search_.asked().text.empty()) {  // a text can be searched without the box
    state_.boxes.search = false;
    end_search();
  } else if (run_.brushed()) {
    run_.clear_brush();
  } else if (state_.selection.range) {
    state_.selection.range.reset();
    state_.selection.lanes.clear();
    state_.selection.made_in.clear();
  } else if (state_.selection.same_name != kNone<LabelId>) {
    state_.selection.same_name = kNone<LabelId>;
  } else {
    state_.selection.clear();
    state_.selected.details.reset();
    state_.selected.gap.reset();
    state_.selected.differences.clear();
  }
}

void Workspace::on(const command::SelectGap& c) { select_gap(c.gap, false); }

void Workspace::on(const command::GapUnderMouse&) {
  if (state_.pointer.gap) select_gap(*state_.pointer.gap, false);
}

void Workspace::on(const command::OpenGoTo&) {
  state_.boxes.go_to = true;
  state_.boxes.go_to_complaint.clear();
}

}  // namespace tv

// Going to places that somebody names, gaps, and how times are written.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/session/workspace/workspace.h"
#include "core/view/menus/go_to.h"

namespace tv {
namespace {

constexpr std::size_t kMostGapsOfLane = 1000;  // walked, of each lane where all are

}  // namespace

// ---- gaps

void Workspace::select_gap(const Gap& gap, bool reveal_it) {
  if (idx(gap.lane) >= trace().lanes.size() || gap.before == kNone<SliceId> || gap.after == kNone<SliceId>) return;
  details_.reset();
  differences_.clear();
  selection_.select_gap(*snapshot_, gap);
  gap_ = gap_details(*snapshot_, run_.data().gpu.get(), gap);
  if (walked_gaps_.generation == snapshot_->generation && walked_gaps_.layout == layout_version_) {
    gap_->place = place_among(walked_gaps_.gaps, gap, walked_gaps_.lane != kNone<LaneId>);
  }
  if (!reveal_it) return;
  reveal_row(gap.before);
  fit_to(gap.time, gap.lane);
}

// Of the lane of what is selected, else that of the mouse, else of all that are shown.
void Workspace::on(const command::NextGap& c) {
  LaneId lane = mouse_place_ ? mouse_place_->lane : kNone<LaneId>;
  const bool walking_all = gap_ && walked_gaps_.generation == snapshot_->generation &&
                           walked_gaps_.lane == kNone<LaneId> &&
                           std::ranges::find(walked_gaps_.gaps, gap_->gap) != walked_gaps_.gaps.end();
  if (gap_) lane = walking_all ? kNone<LaneId> : gap_->gap.lane;
  if (selection_.has_slice()) lane = trace().row(trace().row_of(selection_.slice)).lane;
  if (lane != kNone<LaneId> && trace().lane(lane).row_count == 0) lane = kNone<LaneId>;
  if (walked_gaps_.generation != snapshot_->generation || walked_gaps_.layout != layout_version_ ||
      walked_gaps_.lane != lane) {
    return find_gaps(lane, c.shorter);
  }
  walk_gaps(c.shorter);
}

void Workspace::find_gaps(LaneId lane, bool shorter) {
  std::vector<LaneId> lanes;
  for (const LaneBox& box : of(mouse_half_).layout.boxes()) {
    if (lane == kNone<LaneId> && trace().lane(box.lane).slices > 0) lanes.push_back(box.lane);
  }
  WalkedGaps walked{snapshot_->generation, layout_version_, lane, {}};
  count_first("looking for gaps", [this, walked = std::move(walked), lanes = std::move(lanes), shorter, of = snapshot_](
                                      ThreadPool& pool, std::stop_token) mutable {
    const Trace& trace = *of->trace;
    const bool all = walked.lane == kNone<LaneId>;
    walked.gaps = all ? gaps_of_lanes(trace, lanes, kMostGapsOfLane, pool) : gaps_of_lane(trace, walked.lane);
    return [this, walked = std::move(walked), shorter]() mutable {
      if (walked.generation != snapshot_->generation) return;
      walked_gaps_ = std::move(walked);
      walked_gaps_.layout = layout_version_;  // the gaps belong to the lanes of the question
      walk_gaps(shorter);
    };
  });
}

void Workspace::walk_gaps(bool shorter) {
  const LaneId lane = walked_gaps_.lane;
  if (walked_gaps_.gaps.empty()) {
    notice_ = lane == kNone<LaneId> ? "no lane that is shown has a gap" : "this lane has no gap";
    return;
  }
  const auto at = gap_ ? std::ranges::find(walked_gaps_.gaps, gap_->gap) : walked_gaps_.gaps.end();
  if (at == walked_gaps_.gaps.end())
    return select_gap(shorter ? walked_gaps_.gaps.front() : walked_gaps_.gaps.back(), true);
  if (shorter ? at + 1 == walked_gaps_.gaps.end() : at == walked_gaps_.gaps.begin()) {
    notice_ = shorter ? "there is no shorter gap" : "there is no longer gap";
    return;
  }
  select_gap(Gap(shorter ? at[1] : at[-1]), true);
  walked_gaps_.layout = layout_version_;  // opening a lane to show it changes the layout, not what is walked
  gap_->place = place_among(walked_gaps_.gaps, gap_->gap, lane != kNone<LaneId>);
}

// ---- places

// What was not found is said where it was asked for; else the box has done its work.
void Workspace::on(const command::GoTo& c) {
  go_to_complaint_.clear();
  go_to_place(c.text);
  if (go_to_complaint_.empty()) go_to_open_ = false;
}

void Workspace::go_to_place(const std::string& text) {
  const auto found = find_place(trace(), run_.data(), time_words_, text);
  if (!found) {
    go_to_complaint_ = found.error().text();
    return;
  }
  const GoToPlace& place = found.value();
  notice_ = place.said;
  if (place.rollout_step) return on(command::GoToStep{*place.rollout_step});
  if (place.training_line) return on(command::GoToTrainingStep{*place.training_line});
  if (place.request) return select_request(*place.request, true);
  if (place.range) return fit_to(*place.range);
  if (place.lane != kNone<LaneId>) return show_lane(place.lane);
  if (!place.time) return;
  // With everything in sight the middle of the view cannot move: then a tenth of it, so that one sees where.
  const Viewport now = fitted_ ? Viewport{view_.target.begin, view_.target.span / 10} : view_.target;
  go(center_on(now, static_cast<double>(*place.time - later(mouse_half_)), reach()));
  notes_.add({{*place.time, *place.time}});
}

// ---- how times are written

void Workspace::set_time_format(std::optional<TimeFormat> format) {
  const bool steps = run_.data().steps && !run_.data().steps->empty();
  constexpr int kFormats = static_cast<int>(TimeFormat::kCount);
  for (int i = 1; i < kFormats && !format; ++i) {
    const auto next = static_cast<TimeFormat>((static_cast<int>(time_words_.format) + i) % kFormats);
    if (has_format(trace(), next, steps)) format = next;
  }
  time_format_ = format.value_or(TimeFormat::SinceBegin);
  time_words_of_ = UINT64_MAX;
  follow_time_words();
}

// The step in the middle of the view, or the last before it; with everything in sight the one that is looked at, or the first.
void Workspace::follow_time_words() {
  const StepSource* source = nullptr;
  if (time_format_ == TimeFormat::SinceStep && run_.data().steps && !run_.data().steps->empty()) {
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
  const Ns middle = static_cast<Ns>(view_.target.begin + view_.target.span / 2);
  Ns t = middle;
  if (fitted_ && source && !split_)
    t = looked_at && run_.rollout() ? run_.rollout()->steps[*looked_at].extent.begin : source->steps.front().range.begin;
  const std::optional<StepTime> step = step_then(t), below = split_ ? step_then(middle + later(SplitHalf::Lower)) : std::nullopt;
  if (time_words_of_ == snapshot_->generation && step == step_time_ && below == lower_step_) return;
  time_words_of_ = snapshot_->generation;
  step_time_ = step;
  lower_step_ = below;
  time_words_ = tv::time_words(trace(), time_format_, step_time_ ? &*step_time_ : nullptr);
  lower_words_ = tv::time_words(trace(), time_format_, lower_step_ ? &*lower_step_ : nullptr);
}

// ---- layers

// One layer per press: help, dialog, box, search, brush, area, gap, what is singled out, slices.
void Workspace::on(const command::ClearSelection&) {
  if (command_use_.covers()) {
    command_use_.box.reset();
    command_use_.menus = false;
  } else if (naming_) {
    naming_.reset();
  } else if (help_open_) {
    help_open_ = false;
  } else if (dialog_open_) {
    dialog_open_ = false;
  } else if (go_to_open_) {
    go_to_open_ = false;
  } else if (search_open_ || !search_text().empty()) {  // typed into the box that somebody clicked
    search_open_ = false;
    end_search();
  } else if (run_.brushed()) {
    run_.clear_brush();
  } else if (selection_.range) {
    selection_.range.reset();
    selection_.lanes.clear();
    selection_.made_in.clear();
  } else if (selection_.same_name != kNone<LabelId>) {
    selection_.same_name = kNone<LabelId>;
  } else {
    selection_.clear();
    details_.reset();
    gap_.reset();
    differences_.clear();
  }
}

void Workspace::on(const command::SelectGap& c) { select_gap(c.gap, false); }

void Workspace::on(const command::GapUnderMouse&) {
  if (mouse_gap_) select_gap(*mouse_gap_, false);
}

void Workspace::on(const command::OpenGoTo&) {
  go_to_open_ = true;
  go_to_complaint_.clear();
}

}  // namespace tv

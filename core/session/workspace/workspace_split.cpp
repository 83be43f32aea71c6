// Two timelines, one above the other: what each shows, and which times are aligned.
#include <algorithm>

#include "core/base/text/utf8.h"
#include "core/session/workspace/workspace.h"
#include "core/view/lanes/area_lanes.h"

namespace tv {
namespace {

constexpr double kSeenInHalf_px = 24;  // minimum width of the longer of the two aligned slices

}  // namespace

// ---- its inputs

// Leaves out steps that come from another load of the files.
SplitScene Workspace::split_scene() const {
  SplitScene scene;
  scene.trace = &trace();
  if (state_.selection.has_slice()) scene.slices.push_back(state_.selection.slice);
  scene.slices.insert(scene.slices.end(), state_.selection.also.begin(), state_.selection.also.end());
  scene.everything = state_.motion.fitted;
  const RunData& data = run_.data();
  if (!data.trace || data.trace->origin_ns != trace().origin_ns || !data.steps) return scene;
  scene.steps = *data.steps;
  const std::optional<std::uint32_t>& step = run_.question().step;
  if (data.rollout) {
    scene.runs = data.rollout->runs;
    if (!step) return scene;
    const RolloutStep& looked_at = data.rollout->steps[*step];
    scene.step = looked_at.extent.begin + looked_at.extent.length() / 2;
    scene.step_number = looked_at.step;
  } else if (const StepSource* const steps = steps_on(trace(), scene.steps, {}); steps && !state_.motion.fitted) {
    const Ns middle = static_cast<Ns>(state_.motion.view.target.begin + state_.motion.view.target.span / 2);
    if (const auto at = step_at(*steps, middle)) scene.step = steps->steps[*at].range.begin;
  }
  return scene;
}

const StepSource* Workspace::steps_of_half(SplitHalf half) const {
  return state_.halves.split ? steps_on(trace(), split_scene().steps, state_.halves.split->lanes[ix(half)]) : nullptr;
}

SplitHalf Workspace::half_for(LaneId lane, TimeRange time) const {
  if (!state_.halves.split) return SplitHalf::Upper;
  const auto fit_of = [&](SplitHalf half) {
    const double begin = state_.motion.view.target.begin + static_cast<double>(later(half));
    const bool shown = lane == kNone<LaneId> || of(half).layout.shows(lane);
    const bool in_sight = static_cast<double>(time.begin) < begin + state_.motion.view.target.span && static_cast<double>(time.end) >= begin;
    return (shown ? 4 : 0) + (in_sight ? 2 : 0) + (half == state_.pointer.half ? 1 : 0);
  };
  return fit_of(SplitHalf::Lower) > fit_of(SplitHalf::Upper) ? SplitHalf::Lower : SplitHalf::Upper;
}

// ---- while it is shown

void Workspace::carry_split(const std::function<Ns(Ns)>& carried) {
  if (!state_.halves.split) return;
  if (trace().lanes.empty()) {
    state_.halves.split.reset();
    state_.pointer.half = SplitHalf::Upper;
    return;
  }
  leave_out_gone_lanes(*state_.halves.split, trace());
  if (state_.halves.split->by == SplitBy::Starts) return align(*state_.halves.split, SplitBy::Starts, split_scene());
  if (state_.halves.split->by == SplitBy::Recorded) return;
  state_.halves.split->at = {carried(state_.halves.split->at[0]), carried(state_.halves.split->at[1])};
}

void Workspace::follow_split() {
  if (!state_.halves.split && !state_.halves.titles_of.split) return;
  TitlesOf now{snapshot_->generation, run_.data().steps, state_.halves.split};
  if (state_.halves.titles_of == now) return;
  state_.halves.titles_of = std::move(now);
  state_.halves.titles = {};
  state_.halves.steps = {};
  if (!state_.halves.split) return;
  const SplitScene scene = split_scene();
  for (const SplitHalf half : kHalves) {
    const auto slice = std::ranges::find(scene.slices, state_.halves.split->at[ix(half)], [&](SliceId s) { return trace().begin_of(s); });
    const std::string name = slice == scene.slices.end() ? std::string() : shortened_utf8(trace().name_of(*slice));
    state_.halves.steps[ix(half)] = steps_on(trace(), scene.steps, state_.halves.split->lanes[ix(half)]);
    state_.halves.titles[ix(half)] = tv::split_title(trace(), *state_.halves.split, scene.steps, half, name);
  }
}

// ---- commands

void Workspace::on(const command::ToggleSplit&) {
  if (!state_.halves.split) {
    if (!trace().lanes.empty()) start_split(first_split(split_scene()));
    return;
  }
  state_.halves.split.reset();
  state_.halves.lower = {};
  state_.pointer.half = SplitHalf::Upper;
  state_.pointer.place.reset();
  relayout();
  go(state_.motion.view.target);
}

void Workspace::start_split(Split split) {
  const std::vector<SliceId> slices = split_scene().slices;
  state_.halves.split = std::move(split);
  state_.pointer.half = SplitHalf::Upper;
  state_.pointer.place.reset();
  // Set the geometry that the next frame will compute.
  state_.halves.geometry.lower_px = state_.halves.geometry.height_px * (1 - state_.halves.split->share);
  state_.halves.geometry.height_px *= state_.halves.split->share;
  state_.halves.lower = state_.halves.upper;
  if (state_.lanes.untouched) arrange_lanes();
  relayout();
  for (const SplitHalf half : kHalves) {
    if (!state_.halves.split->lanes[ix(half)].empty()) scroll_to(0, half);
    if (state_.halves.split->by == SplitBy::Slices) reveal_row(slices[ix(half)], half);
    of(half).scroll_y = of(half).scroll_target = clamped_scroll(of(half).scroll_target, half);
  }
  show_split();
}

// Brings the aligned places into sight.
void Workspace::show_split() {
  const SplitScene scene = split_scene();
  const Ns begin = state_.halves.split->at[0];
  if (state_.halves.split->by == SplitBy::Starts) {
    go(fit(whole(), reach()));
  } else if (state_.halves.split->by == SplitBy::Steps) {
    Ns longest = 0;
    for (const SplitHalf half : kHalves) {
      const StepSource* const steps = steps_of_half(half);
      const auto at = steps ? step_at(*steps, state_.halves.split->at[ix(half)]) : std::nullopt;
      if (at) longest = std::max(longest, steps->steps[*at].range.length());
    }
    go(fit({begin, begin + longest}, reach(), kSelectionMargin));
  } else if (state_.halves.split->by == SplitBy::Slices && scene.slices.size() > 1) {
    const Ns longest = std::max(trace().duration_of(scene.slices[0]), trace().duration_of(scene.slices[1]));
    go(show_selected(state_.motion.view.target, {begin, begin + longest}, reach(),
                     kSeenInHalf_px / static_cast<double>(state_.halves.geometry.width_px)));
  } else {
    go(state_.motion.view.target);
  }
}

void Workspace::on(const command::AlignSplit& c) {
  if (trace().lanes.empty() || c.by == SplitBy::kCount) return;
  const SplitScene scene = split_scene();
  if (c.by == SplitBy::Slices && scene.slices.size() < 2) return say("select two slices first: click one, Ctrl+click the other");
  if (c.by == SplitBy::Steps && !steps_on(trace(), scene.steps, {})) return say("nothing here numbers its steps");
  if (!state_.halves.split) {
    Split split;
    align(split, c.by, scene, c.half, c.step);
    return start_split(std::move(split));
  }
  const StepSource* const steps = steps_of_half(c.half);
  if (state_.halves.split->by == SplitBy::Steps && c.by == SplitBy::Steps && c.step && steps && *c.step < steps->steps.size()) {
    return move_step(c.half, *steps, *c.step);
  }
  align(*state_.halves.split, c.by, scene, c.half, c.step);
  if (c.by == SplitBy::Slices) {
    for (const SplitHalf half : kHalves) reveal_row(scene.slices[ix(half)], half);
  }
  show_split();
}

// The other half stays where it is, and the step appears at the same place.
void Workspace::move_step(SplitHalf half, const StepSource& steps, std::size_t step) {
  const Ns to = steps.steps[step].range.begin;
  const Ns moved = to - std::exchange(state_.halves.split->at[ix(half)], to);
  if (half == SplitHalf::Lower) return go(state_.motion.view.target);
  state_.motion.view.current.begin += static_cast<double>(moved);
  go({state_.motion.view.target.begin + static_cast<double>(moved), state_.motion.view.target.span});
  look_at_step_then(to);
}

// Charts follow the upper half.
void Workspace::look_at_step_then(Ns t) {
  const Rollout* const rollout = run_.rollout();
  for (std::uint32_t s = 0; rollout && s < rollout->steps.size(); ++s) {
    const TimeRange& extent = rollout->steps[s].extent;
    const Ns middle = t + extent.length() / 2;
    if (middle >= extent.begin && middle < extent.end) return run_.look_at_step(s);
  }
}

void Workspace::on(const command::NextSplitStep& c) {
  if (!state_.halves.split) return;
  const StepSource* const steps = steps_of_half(c.half);
  if (!steps) return;
  if (state_.halves.split->by != SplitBy::Steps) return on(command::AlignSplit{SplitBy::Steps, c.half});
  const std::size_t at = step_at(*steps, state_.halves.split->at[ix(c.half)]).value_or(0);
  if (c.forward ? at + 1 >= steps->steps.size() : at == 0) return;
  move_step(c.half, *steps, c.forward ? at + 1 : at - 1);
}

// Moves both halves by one step, so that their distance in steps stays the same.
bool Workspace::next_step_of_halves(bool forward) {
  if (!state_.halves.split || state_.halves.split->by != SplitBy::Steps) return false;
  std::array<const StepSource*, 2> steps{};
  std::array<std::size_t, 2> at{};
  for (const SplitHalf half : kHalves) {
    steps[ix(half)] = steps_of_half(half);
    if (!steps[ix(half)]) return false;
    const std::size_t now = step_at(*steps[ix(half)], state_.halves.split->at[ix(half)]).value_or(0);
    if (forward ? now + 1 >= steps[ix(half)]->steps.size() : now == 0) return true;
    at[ix(half)] = forward ? now + 1 : now - 1;
  }
  move_step(SplitHalf::Lower, *steps[1], at[1]);
  move_step(SplitHalf::Upper, *steps[0], at[0]);
  return true;
}

// In a split by steps, only the half that was last under the pointer moves to the step.
void Workspace::fit_step(TimeRange time) {
  const StepSource* const steps = state_.halves.split && state_.halves.split->by == SplitBy::Steps ? steps_of_half(state_.pointer.half) : nullptr;
  const auto at = steps ? step_at(*steps, time.begin + time.length() / 2) : std::nullopt;
  at ? move_step(state_.pointer.half, *steps, *at) : fit_to(time);
}

void Workspace::on(const command::ChooseSplitLanes& c) {
  if (!state_.halves.split || std::ranges::any_of(c.lanes, [&](LaneId lane) { return idx(lane) >= trace().lanes.size(); })) return;
  const StepSource* const before = steps_of_half(c.half);
  const std::vector<std::string> keys = lane_keys(trace());
  auto& lanes = state_.halves.split->lanes[ix(c.half)];
  lanes.clear();
  for (const LaneId lane : c.lanes) lanes.push_back(keys[idx(lane)]);
  state_.pointer.place.reset();
  relayout();
  scroll_to(0, c.half);
  if (state_.halves.split->by == SplitBy::Starts) {
    align(*state_.halves.split, SplitBy::Starts, split_scene());
    show_split();
  } else if (const StepSource* const steps = steps_of_half(c.half); state_.halves.split->by == SplitBy::Steps && steps && steps != before) {
    // The half has other steps: go to the one with the number shown in the other half.
    const StepSource* const steps_of_other = steps_of_half(other(c.half));
    state_.halves.split->by = SplitBy::Recorded;
    align(*state_.halves.split, SplitBy::Steps, split_scene(), other(c.half),
          steps_of_other ? step_at(*steps_of_other, state_.halves.split->at[ix(other(c.half))]) : std::nullopt);
    show_split();
  }
}

void Workspace::on(const command::SizeSplit& c) {
  if (state_.halves.split) state_.halves.split->share = std::clamp(c.share, kLeastSplitShare, 1 - kLeastSplitShare);
}

}  // namespace tv

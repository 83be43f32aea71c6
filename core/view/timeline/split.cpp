#include "core/view/timeline/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/analysis/gpu/step_ranges.h"
#include "core/analysis/statistics/name_differences.h"
#include "core/store/trace/tell_recordings.h"
#include "core/store/trace/trace.h"
#include "core/view/lanes/lane_file.h"
#include "core/view/lanes/lane_layout.h"
#include "core/view/lanes/shown_lanes.h"

namespace tv {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(SplitBy::kCount)> kSplitNames = {"recorded", "starts", "steps", "slices"};
constexpr std::array<std::string_view, static_cast<std::size_t>(SplitBy::kCount)> kSplitMeanings = {
    "as recorded: the same time", "at their starts", "at the begins of steps", "at the selected slices"};
constexpr std::size_t kMostNamed = 2;  // lanes in a title

bool holds_any(const Lane& lane) { return lane.slices > 0 || lane.instants > 0 || lane.counter != UINT32_MAX; }

std::vector<LaneId> outermost(const Trace& trace) {
  std::vector<LaneId> out;
  for (std::size_t l = 0; l < trace.lanes.size(); l = idx(trace.lanes[l].subtree_end)) out.push_back(id_at<LaneId>(l));
  return out;
}

std::vector<std::string> keys_of(const Trace& trace, std::span<const LaneId> lanes) {
  const std::vector<std::string> keys = lane_keys(trace);
  std::vector<std::string> out;
  for (const LaneId lane : lanes) out.push_back(keys[idx(lane)]);
  return out;
}

std::vector<RunLanes> runs_by_name(const Trace& trace, std::span<const LaneId> lanes, std::span<const std::string> names) {
  std::vector<RunLanes> runs;
  std::vector<LaneId> shared;
  for (const LaneId lane : lanes) {
    const bool is_of_run = std::ranges::find(names, trace.lane(lane).owner.run) != names.end();
    if (is_of_run) runs.push_back({{lane}});
    if (!is_of_run) shared.push_back(lane);
  }
  for (RunLanes& run : runs) run.lanes.insert(run.lanes.end(), shared.begin(), shared.end());
  return runs;
}

// Makes one run of each recording of the same ranks, in file order. Lanes of no recording belong to every run.
std::vector<RunLanes> runs_by_recording(const Trace& trace, std::span<const LaneId> lanes) {
  const LaneFiles files(trace);
  std::vector<RunLanes> runs;
  std::vector<LaneId> shared;
  for (const ComparedPart& recording : compared_recordings(trace)) runs.push_back({recording.lanes});
  for (const LaneId lane : lanes) {
    if (files.recording(lane).empty()) shared.push_back(lane);
  }
  for (RunLanes& run : runs) run.lanes.insert(run.lanes.end(), shared.begin(), shared.end());
  return runs;
}

// The lane's extent before runs were aligned with each other.
TimeRange recorded_extent(const Trace& trace, LaneId lane) {
  const auto file = file_of_lane(trace, lane);
  const Ns moved = file ? trace.sources[*file].aligned.by : 0;
  const TimeRange extent = trace.lane(lane).extent;
  return {extent.begin - moved, extent.end - moved};
}

// Lanes belong to one run if their extents overlap, directly or through others, or if they share a file.
std::vector<RunLanes> runs_by_time(const Trace& trace, std::span<const LaneId> lanes) {
  if (trace.sources.size() < 2) return {{{lanes.begin(), lanes.end()}}};
  std::vector<std::pair<TimeRange, LaneId>> timed;
  for (const LaneId lane : lanes) timed.emplace_back(recorded_extent(trace, lane), lane);
  std::ranges::stable_sort(timed, {}, [](const auto& each) { return each.first.begin; });
  std::vector<RunLanes> runs;
  std::set<std::size_t> files;  // files of the last run
  Ns end = 0;
  for (const auto& [extent, lane] : timed) {
    const auto file = file_of_lane(trace, lane);
    const bool new_run = runs.empty() || (extent.begin > end && file && !files.contains(*file));
    if (new_run) {
      runs.emplace_back();
      files.clear();
    }
    end = new_run ? extent.end : std::max(end, extent.end);
    runs.back().lanes.push_back(lane);
    if (file) files.insert(*file);
  }
  for (RunLanes& run : runs) std::ranges::sort(run.lanes);
  // Sorts runs by the order of their files, not by recording time.
  std::ranges::stable_sort(runs, {}, [&](const RunLanes& run) {
    std::size_t first = SIZE_MAX;
    for (const LaneId lane : run.lanes) first = std::min(first, file_of_lane(trace, lane).value_or(SIZE_MAX));
    return first;
  });
  return runs;
}

// Compares the first two comparable parts: ranks, workers, programs.
void compare_parts(const Trace& trace, Split& split) {
  const std::vector<ComparedPart> parts = compared_parts(trace);
  for (const SplitHalf half : kHalves) {
    if (parts.size() > 1) split.lanes[ix(half)] = keys_of(trace, parts[ix(half)].lanes);
  }
}

std::optional<std::size_t> same_number(const StepSource& source, std::int64_t number) {
  const auto found = std::ranges::find(source.steps, number, &StepRange::number);
  return found == source.steps.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - source.steps.begin()));
}

// Whether a source's steps belong to the chosen lanes, or to lanes around or within them.
bool is_of_lanes(const Trace& trace, const StepSource& source, const std::vector<bool>& within) {
  for (std::size_t l = 0; l < within.size(); ++l) {
    if (!within[l]) continue;
    LaneId root = id_at<LaneId>(l);
    while (trace.lane(root).parent != kNone<LaneId>) root = trace.lane(root).parent;
    if (source.process != kNone<LaneId> ? root == source.process : trace.lane(root).owner.run == source.of) return true;
  }
  return false;
}

// The other half's step for step `at` of `half`: the one with the same number. If both halves show the same steps, it is a
// neighbour, and the earlier step is above if possible.
std::size_t step_of_other_half(const StepSource& source, const StepSource& other_source, std::size_t at, SplitHalf half) {
  if (&source != &other_source)
    return same_number(other_source, source.steps[at].number).value_or(std::min(at, other_source.steps.size() - 1));
  if (source.steps.size() < 2) return at;
  const bool forward = half == SplitHalf::Upper ? at + 1 < source.steps.size() : at == 0;
  return forward ? at + 1 : at - 1;
}

std::string joined_titles(const Trace& trace, std::span<const std::string> chosen) {
  const std::vector<std::string> keys = lane_keys(trace);
  const std::set<std::string_view> wanted(chosen.begin(), chosen.end());
  std::string out;
  std::size_t named = 0, known = 0;
  for (std::size_t l = 0; l < keys.size(); ++l) {
    if (!wanted.contains(keys[l])) continue;
    ++known;
    if (named == kMostNamed) continue;
    ++named;
    std::string path;
    for (const std::string& part : trace.path_of(id_at<LaneId>(l))) path += (path.empty() ? "" : " / ") + part;
    out += (out.empty() ? "" : " + ") + path;
  }
  if (known > named) out += fmt::format(" and {} more", known - named);
  return out.empty() ? "all lanes" : out;
}

}  // namespace

std::string_view name(SplitBy by) { return kSplitNames[static_cast<std::size_t>(by)]; }

std::optional<SplitBy> split_by(std::string_view name) {
  const auto found = std::ranges::find(kSplitNames, name);
  return found == kSplitNames.end() ? std::nullopt : std::optional(static_cast<SplitBy>(found - kSplitNames.begin()));
}

std::string_view meaning(SplitBy by) { return kSplitMeanings[static_cast<std::size_t>(by)]; }

std::vector<RunLanes> runs_to_split(const Trace& trace, std::span<const std::string> names) {
  std::vector<LaneId> lanes = outermost(trace);
  std::erase_if(lanes, [&](LaneId lane) {
    for (std::size_t l = idx(lane); l < idx(trace.lane(lane).subtree_end); ++l) {
      if (holds_any(trace.lanes[l])) return false;
    }
    return true;
  });
  if (names.size() > 1) {
    if (auto runs = runs_by_name(trace, lanes, names); runs.size() > 1) return runs;
  }
  if (auto runs = runs_by_recording(trace, lanes); runs.size() > 1) return runs;
  return runs_by_time(trace, lanes);
}

const StepSource* steps_on(const Trace& trace, std::span<const StepSource> sources, std::span<const std::string> lanes) {
  if (sources.empty()) return nullptr;
  const auto first_of = [&](const auto& fits) -> const StepSource* {
    const StepSource* found = nullptr;
    for (const StepSource& source : sources) {
      if (!fits(source)) continue;
      if (!found || (found->steps.size() < 2 && source.steps.size() > 1)) found = &source;
    }
    return found;
  };
  if (lanes.empty()) return first_of([](const StepSource&) { return true; });
  const std::vector<bool> within = lanes_within(trace, lanes);
  if (const StepSource* const found = first_of([&](const StepSource& source) { return is_of_lanes(trace, source, within); })) return found;
  // The lanes of a log need not have the name of its file, so steps within the extent of lanes belong to these lanes, too.
  const TimeRange extent = extent_on(trace, lanes);
  return first_of([&](const StepSource& source) {
    return source.process == kNone<LaneId> && source.steps.front().range.begin >= extent.begin && source.steps.back().range.end <= extent.end;
  });
}

std::optional<std::size_t> step_at(const StepSource& source, Ns t) {
  const auto after = std::ranges::partition_point(source.steps, [&](const StepRange& step) { return step.range.begin <= t; });
  if (after == source.steps.begin()) return std::nullopt;
  return static_cast<std::size_t>(after - source.steps.begin() - 1);
}

TimeRange extent_on(const Trace& trace, std::span<const std::string> lanes) {
  if (lanes.empty()) return trace.shown();
  const std::vector<bool> within = lanes_within(trace, lanes);
  std::optional<TimeRange> out;
  for (std::size_t l = 0; l < within.size(); ++l) {
    if (!within[l] || !holds_any(trace.lanes[l])) continue;
    const TimeRange extent = trace.lanes[l].extent;
    if (!out) out = extent;
    out->include(extent.begin, extent.end);
  }
  return out.value_or(trace.shown());
}

void align(Split& split, SplitBy by, const SplitScene& scene, SplitHalf half, std::optional<std::size_t> step) {
  const Trace& trace = *scene.trace;
  const bool had_steps = split.by == SplitBy::Steps;
  switch (by) {
    case SplitBy::Slices:
      if (scene.slices.size() < 2) return;
      split.at = {trace.begin_of(scene.slices[0]), trace.begin_of(scene.slices[1])};
      break;
    case SplitBy::Steps: {
      const StepSource* const source = steps_on(trace, scene.steps, split.lanes[ix(half)]);
      const StepSource* const other_source = steps_on(trace, scene.steps, split.lanes[ix(other(half))]);
      if (!source || !other_source) return;
      const auto numbered = scene.step_number ? same_number(*source, *scene.step_number) : std::nullopt;
      const Ns looked_at = scene.step.value_or(source->steps.front().range.begin);
      const std::size_t at = std::min(step.value_or(numbered.value_or(step_at(*source, looked_at).value_or(0))), source->steps.size() - 1);
      const auto stays = had_steps ? step_at(*other_source, split.at[ix(other(half))]) : std::nullopt;
      split.at[ix(half)] = source->steps[at].range.begin;
      split.at[ix(other(half))] = other_source->steps[stays.value_or(step_of_other_half(*source, *other_source, at, half))].range.begin;
      break;
    }
    case SplitBy::Starts:
      for (const SplitHalf each : kHalves) split.at[ix(each)] = extent_on(trace, split.lanes[ix(each)]).begin;
      break;
    case SplitBy::Recorded:
    case SplitBy::kCount: split.at = {0, 0}; break;
  }
  split.by = by;
}

Split first_split(const SplitScene& scene) {
  const Trace& trace = *scene.trace;
  Split split;
  if (scene.slices.size() > 1) {
    align(split, SplitBy::Slices, scene);
    return split;
  }
  if (const std::vector<RunLanes> runs = runs_to_split(trace, scene.runs); runs.size() > 1) {
    // The upper half shows the current run, if another follows it.
    std::size_t first = 0;
    for (std::size_t r = 0; scene.step && !scene.everything && r + 1 < runs.size(); ++r) {
      const TimeRange extent = extent_on(trace, keys_of(trace, runs[r].lanes));
      if (*scene.step >= extent.begin && *scene.step < extent.end && scene.runs.size() < 2) first = r;
    }
    for (const SplitHalf half : kHalves) split.lanes[ix(half)] = keys_of(trace, runs[first + ix(half)].lanes);
    if (!scene.everything && scene.step) align(split, SplitBy::Steps, scene);
    if (split.by != SplitBy::Steps) align(split, SplitBy::Starts, scene);
    return split;
  }
  const StepSource* const steps = steps_on(trace, scene.steps, {});
  if (!steps || steps->steps.size() < 2) {
    compare_parts(trace, split);
    return split;
  }
  // The lower half needs a later step, so the upper one shows the step before the last at most.
  std::size_t at = step_at(*steps, scene.step.value_or(steps->steps.front().range.begin)).value_or(0);
  if (at + 1 == steps->steps.size()) --at;
  align(split, SplitBy::Steps, scene, SplitHalf::Upper, at);
  return split;
}

void leave_out_gone_lanes(Split& split, const Trace& trace) {
  if (split.lanes[0].empty() && split.lanes[1].empty()) return;
  const std::vector<std::string> keys = lane_keys(trace);
  const std::set<std::string_view> known(keys.begin(), keys.end());
  for (auto& lanes : split.lanes) std::erase_if(lanes, [&](const std::string& key) { return !known.contains(key); });
}

std::vector<bool> lanes_within(const Trace& trace, std::span<const std::string> keys) {
  if (keys.empty()) return {};
  const std::vector<std::string> all = lane_keys(trace);
  const std::set<std::string_view> chosen(keys.begin(), keys.end());
  std::vector<bool> within(trace.lanes.size(), false);
  for (std::size_t l = 0; l < within.size(); ++l) {
    const LaneId around = trace.lanes[l].parent;
    within[l] = (around != kNone<LaneId> && within[idx(around)]) || chosen.contains(all[l]);
  }
  return within;
}

LaneState lanes_of_half(const Trace& trace, const LaneState& lanes, std::span<const std::string> chosen,
                        const std::vector<OverviewLane>& overview) {
  LaneState out = lanes;
  if (chosen.empty()) return out;
  const std::vector<bool> within = lanes_within(trace, chosen);
  const std::vector<std::string> keys = lane_keys(trace);
  const bool overview_on = overview_is_shown(lanes) && !overview.empty();
  if (overview_on) {
    // Adds those lanes of the half that were added to the overview of all lanes.
    std::set<std::string_view> listed, in_half;
    for (const OverviewLane& lane : overview) listed.insert(lane.key);
    for (std::size_t l = 0; l < keys.size(); ++l) {
      if (within[l]) in_half.insert(keys[l]);
    }
    out.overview = overview;
    for (const OverviewLane& lane : lanes.overview) {
      if (in_half.contains(lane.key) && !listed.contains(lane.key)) out.overview.push_back(lane);
    }
    std::erase_if(out.pinned, [&](const std::string& key) { return !in_half.contains(key); });
    return out;
  }
  out.overview.clear();
  const std::vector<std::string> wanted(lanes.only.begin(), lanes.only.end());
  const std::vector<bool> only = lanes_within(trace, wanted);
  out.only.clear();
  for (std::size_t l = 0; l < keys.size(); ++l) {
    if (within[l] && (only.empty() || only[l])) out.only.insert(keys[l]);
  }
  if (out.only.empty()) out.only.insert(chosen.begin(), chosen.end());
  // If the half has only a few lanes, they are unfolded.
  if (std::ranges::count(within, true) <= static_cast<std::ptrdiff_t>(kManyLanes)) {
    for (std::size_t l = 0; l < keys.size(); ++l) {
      if (within[l]) out.collapsed.try_emplace(keys[l], false);
    }
  }
  std::erase_if(out.pinned, [&](const std::string& key) { return !out.only.contains(key); });
  return out;
}

SplitTitle split_title(const Trace& trace, const Split& split, std::span<const StepSource> steps, SplitHalf half, std::string_view slice) {
  const std::vector<std::string>& lanes = split.lanes[ix(half)];
  SplitTitle out{lanes.empty() ? "all lanes" : joined_titles(trace, lanes), {}};
  if (split.by == SplitBy::Slices) out.at = slice;
  if (split.by != SplitBy::Steps) return out;
  const StepSource* const source = steps_on(trace, steps, lanes);
  const auto at = source ? step_at(*source, split.at[ix(half)]) : std::nullopt;
  if (at) out.at = source->steps[*at].name;
  return out;
}

std::string split_difference(const Split& split) {
  const Ns later = split.difference();
  if (later == 0) return "the same time as above";
  return fmt::format("{} {} than above", format_duration(later < 0 ? -later : later), later < 0 ? "earlier" : "later");
}

}  // namespace tv

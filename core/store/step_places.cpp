#include "core/store/step_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

#include "core/base/path_parts.h"
#include "core/store/step_join.h"
#include "core/store/step_slices.h"
#include "core/store/time_window.h"

namespace tv {
namespace {

constexpr Ns kNever = std::numeric_limits<Ns>::max();

Ns clock_of(const SourceView& view) { return view.clock_base + view.info.clock_offset; }

TimeRange extent_of(const RolloutLog& log, std::uint32_t file) {
  TimeRange extent{kNever, std::numeric_limits<Ns>::min()};
  if (log.files[file].begun) extent.begin = log.files[file].first_end - to_ns(log.files[file].first_seconds);
  for (const RolloutPhase& phase : log.phases) {
    if (phase.file != file) continue;
    extent.begin = std::min(extent.begin, phase.end - to_ns(phase.seconds));
    extent.end = std::max(extent.end, phase.end);
  }
  return extent;
}

std::vector<RolloutSteps> rollouts_of(const std::vector<SourceView>& views) {
  std::map<std::string_view, RolloutSteps> runs;
  for (const SourceView& view : views) {
    if (!view.rollout) continue;
    for (std::uint32_t f = 0; f < view.rollout->files.size(); ++f) {
      const RolloutFile& file = view.rollout->files[f];
      TimeRange extent = extent_of(*view.rollout, f);
      if (file.step < 0 || extent.begin >= extent.end) continue;
      extent = {extent.begin + clock_of(view), extent.end + clock_of(view)};
      RolloutSteps& run = runs[rollout_run_folder(view.info.path)];
      const auto [step, is_new] = run.steps.try_emplace(file.step, extent);
      if (is_new) continue;
      step->second = {std::min(step->second.begin, extent.begin), std::max(step->second.end, extent.end)};
    }
  }
  std::vector<RolloutSteps> out;
  for (auto& [folder, run] : runs) {
    run.name = last_part(folder);
    out.push_back(std::move(run));
  }
  return out;
}

std::vector<StepTrace> traces_of(const std::vector<SourceView>& views) {
  std::vector<StepTrace> out;
  for (const SourceView& view : views) {
    if (!view.info.step || view.info.phase.empty()) continue;
    Ns begin = kNever, end = std::numeric_limits<Ns>::min();
    for (const StoredBatch& batch : view.batches) {
      begin = std::min(begin, batch.slices->first);
      end = std::max(end, batch.slices->last);
    }
    // Others do not tell when they were.
    if (begin >= end || begin + view.clock_base < kYear2001) continue;
    out.push_back({std::string(last_part(view.info.path)), *view.info.step, view.info.pid.value_or(-1),
                   view.info.rank.value_or(-1), view.info.phase,
                   {begin + clock_of(view), end + clock_of(view)}});
  }
  return out;
}

// NVTX ranges around a controller's steps (formats.md section 6).
std::vector<MarkedSteps> marked_steps_of(const std::vector<SourceView>& views) {
  std::vector<MarkedSteps> out;
  for (const SourceView& view : views) {
    if (view.info.role != "controller") continue;
    MarkedSteps marked{std::string(last_part(view.info.path)), view.info.pid.value_or(-1), {}};
    for (const StoredBatch& batch : view.batches) {
      const LabelTable& labels = view.names->labels;
      const SliceBlock& slices = *batch.slices;
      for (std::size_t i = 0; i < slices.size(); ++i) {
        const LabelId label = batch.ids->label[idx(slices.label[i])];
        if (labels.name(label) != "step" || labels.category(label) != "nvtx" || slices.duration[i] < 0) continue;
        const Ns begin = slices.begin[i] + clock_of(view);
        marked.steps.push_back({begin, begin + slices.duration[i]});
      }
    }
    std::ranges::sort(marked.steps, {}, &TimeRange::begin);
    if (!marked.steps.empty()) out.push_back(std::move(marked));
  }
  return out;
}

// What the log itself knows counts first, then rollouts, as they tell of every step.
std::string place(MetricLog& log, const std::vector<RolloutSteps>& rollouts, const std::vector<MarkedSteps>& marked,
                  const std::vector<StepTrace>& traces) {
  if (log.steps.empty()) {
    lay_end_to_end(log);  // marks have a place even so
    return {};
  }
  const std::string& unit = log.files.front().unit;
  const auto placed = static_cast<std::size_t>(
      std::ranges::count_if(log.steps, [](const MetricStep& step) { return step.begin != kNoPlace; }));
  StepJoin join;
  if (placed == 0) {
    join = join_rollouts(log, rollouts);
    if (join.begin.empty()) {
      std::string refused = join.text;
      join = join_marked_steps(log, marked);
      if (join.begin.empty()) {
        if (!join.text.empty()) refused = join.text;
        join = join_traces(log, traces);
      }
      if (join.begin.empty() && join.text.empty()) join.text = refused;
    }
    // Of a step that was printed again the last one is the one that other files are about.
    std::map<std::int64_t, Ns> left = join.begin;
    for (auto step = log.steps.rbegin(); step != log.steps.rend() && !left.empty(); ++step) {
      const auto found = step->duration > 0 ? left.find(step->step) : left.end();
      if (found == left.end()) continue;
      step->begin = found->second;
      left.erase(found);
    }
  }
  const std::size_t given = lay_end_to_end(log);
  if (given == 0) return join.text.empty() ? "by the log's own times" : join.text;
  std::string text = given == log.steps.size() ? fmt::format("laid end to end: the log does not tell when a {} was", unit)
                                               : fmt::format("{} of {} {}s laid end to end, from where a time is known",
                                                             given, log.steps.size(), unit);
  return join.text.empty() ? text : join.text + "; " + text;
}

void add_slices(SourceView& view, const MetricLog& log) {
  EventBatch batch = step_batch(log);
  if (view.window) crop(batch, *view.window);
  SourceNames names = view.names->copy();
  BatchIds ids = names.unite(batch);
  view.names = std::make_shared<const SourceNames>(std::move(names));
  view.batches.push_back(stored_batch(std::move(batch), std::move(ids)));
}

}  // namespace

void place_steps(std::vector<SourceView>& views) {
  if (std::ranges::none_of(views, [](const SourceView& view) { return view.metrics != nullptr; })) return;
  const std::vector<RolloutSteps> rollouts = rollouts_of(views);
  // Where a stretch of time is read alone, a trace's slices do not tell how long it is.
  const bool whole = std::ranges::none_of(views, [](const SourceView& view) { return view.window.has_value(); });
  const std::vector<StepTrace> traces = whole ? traces_of(views) : std::vector<StepTrace>();
  const std::vector<MarkedSteps> marked = whole ? marked_steps_of(views) : std::vector<MarkedSteps>();
  for (SourceView& view : views) {
    if (!view.metrics || view.metrics->files.empty()) continue;
    auto log = std::make_shared<MetricLog>();
    log->append(*view.metrics, 0, 0);  // others may hold what was read
    log->files.front().placing = place(*log, rollouts, marked, traces);
    const auto lane = view.lanes.find(kStepTrack);
    const bool all_guessed = log->files.front().placing.find("laid end to end: ") != std::string::npos;
    if (lane != view.lanes.end() && all_guessed) lane->second.path.back().name += ", end to end";
    if (!log->steps.empty() || !log->marks.empty()) add_slices(view, *log);
    if (view.window) {
      const auto outside = [&](Ns begin, Ns end) {
        return begin >= view.window->end || (begin < view.window->begin && end <= view.window->begin);
      };
      std::erase_if(log->steps, [&](const MetricStep& s) { return outside(s.begin, s.begin + s.duration); });
      std::erase_if(log->marks, [&](const StepMark& mark) { return outside(mark.time, mark.time); });
    }
    view.metrics = std::move(log);
  }
}

}  // namespace tv

#include "core/store/clock/step_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "core/base/text/path_parts.h"
#include "core/store/clock/step_join.h"
#include "core/store/clock/step_slices.h"
#include "core/store/clock/time_window.h"

namespace tv {
namespace {

// Merges overlapping spans of a step: workers of one rollout overlap in time, even if some begin late.
void unite_spans(std::vector<RolloutSpan>& spans) {
  std::ranges::sort(spans, [](const RolloutSpan& a, const RolloutSpan& b) {
    return a.step != b.step ? a.step < b.step : a.extent.begin < b.extent.begin;
  });
  std::vector<RolloutSpan> united;
  for (const RolloutSpan& span : spans) {
    if (!united.empty() && united.back().step == span.step && span.extent.begin < united.back().extent.end) {
      united.back().extent.include(span.extent);
    } else {
      united.push_back(span);
    }
  }
  std::ranges::sort(united, {}, [](const RolloutSpan& span) { return span.extent.begin; });
  spans = std::move(united);
}

// The sources of a folder's rollouts.
struct RolloutSources {
  std::vector<const SourceView*> views;
  std::vector<const OtherRollout*> others;
};

RolloutSteps steps_of_rollouts(std::string_view folder, const RolloutSources& sources, const TimeZones& zones) {
  RolloutSteps run{std::string(last_part(folder)), std::string(folder), zones.lacks_zone(folder), false, {}};
  const SourceView* first = nullptr;  // all files of the folder have its clock
  for (const SourceView* const view : sources.views) {
    const auto extents = rollout_extents(*view->rollout);
    for (std::uint32_t f = 0; f < view->rollout->files.size(); ++f) {
      const RolloutFile& file = view->rollout->files[f];
      if (file.step < 0 || view->info.worker == -1) continue;  // no file of a step, or the trainer's
      if (!first) first = view;
      for (const TimeRange& extent : extents[f]) run.spans.push_back({file.step, view->to_recorded()(FileRange::of(extent))});
    }
  }
  for (const OtherRollout* const other : sources.others) {
    if ((!other->recorded && !first) || other->plain().empty()) continue;
    run.is_packed |= other->recorded.has_value();
    run.local |= other->zone_unknown;
    run.spans.push_back({other->step, other->recorded ? *other->recorded : first->to_recorded()(other->in_file)});
  }
  unite_spans(run.spans);
  return run;
}

// The rollouts of all folders. They are made once, and those of a folder once more after its zone was found.
class RolloutFolders {
 public:
  RolloutFolders(const std::vector<SourceView>& views, const std::vector<OtherRollout>& others, const TimeZones& zones) {
    std::map<std::string_view, RolloutSources> folders;
    for (const SourceView& view : views) {
      if (view.rollout) folders[rollout_run_folder(view.info.path)].views.push_back(&view);
    }
    for (const OtherRollout& other : others) folders[rollout_run_folder(other.path)].others.push_back(&other);
    for (auto& [folder, sources] : folders) {
      RolloutSteps run = steps_of_rollouts(folder, sources, zones);
      if (run.spans.empty()) continue;
      all_.push_back(std::move(run));
      sources_.push_back(std::move(sources));
    }
  }
  const std::vector<RolloutSteps>& all() const { return all_; }
  /// To be called after the zone of these rollouts, which are in all(), was found.
  void update(const RolloutSteps& rollout, const TimeZones& zones) {
    const auto at = static_cast<std::size_t>(&rollout - all_.data());
    all_[at] = steps_of_rollouts(std::string(rollout.folder), sources_[at], zones);
  }

 private:
  std::vector<RolloutSteps> all_;        // by folder
  std::vector<RolloutSources> sources_;  // of each
};

std::vector<StepTrace> traces_of(const std::vector<TimedFile>& known) {
  std::vector<StepTrace> out;
  for (const TimedFile& file : known) {
    if (!file.step || file.phase.empty() || file.extent.empty()) continue;
    out.push_back({std::string(last_part(file.path)), *file.step, file.pid.value_or(-1), file.rank.value_or(-1), file.phase,
                   file.extent});
  }
  return out;
}

std::vector<MarkedSteps> marked_steps_of(const std::vector<TimedFile>& known) {
  std::vector<MarkedSteps> out;
  for (const TimedFile& file : known) {
    for (const auto& steps : file.steps) out.push_back({std::string(last_part(file.path)), file.pid.value_or(-1), steps});
  }
  return out;
}

bool shows_zone(const StepJoin& join) { return join.rollout && join.rollout->local && join.east && !join.rollout->is_packed; }

// Logs that show the zone of rollouts come first, so that steps of other logs do not get local times from these rollouts.
std::vector<SourceView*> logs_to_place(std::vector<SourceView>& views, const std::vector<RolloutSteps>& rollouts,
                                       const std::vector<MarkedSteps>& marked, const std::vector<StepTrace>& traces) {
  std::vector<SourceView*> logs;
  for (SourceView& view : views) {
    if (view.metrics && !view.metrics->files.empty()) logs.push_back(&view);
  }
  if (logs.size() < 2 || (marked.empty() && traces.empty())) return logs;
  const auto comes_first = [&](const SourceView* log) {
    return shows_zone(join_rollouts(*log->metrics, rollouts, marked, traces));
  };
  std::stable_partition(logs.begin(), logs.end(), comes_first);
  return logs;
}

// Places the steps of a log: by the times that it states, or else by rollouts, which cover every step, or else by marked steps or
// traces. Returns the text for MetricFile::placing.
std::string place(MetricLog& log, const SourceInfo& source, RolloutFolders& rollouts,
                  const std::vector<MarkedSteps>& marked, const std::vector<StepTrace>& traces, TimeZones& zones) {
  const auto unknown_zone = [&] { return source.local_time && source.clock_fit.evidence != ClockEvidence::Zone; };
  if (log.steps.empty()) {
    lay_end_to_end(log);  // marks need times even without steps
    return unknown_zone() ? "local time, zone unknown" : "";
  }
  const std::string& unit = log.files.front().unit;
  const auto placed = static_cast<std::size_t>(
      std::ranges::count_if(log.steps, [](const MetricStep& step) { return step.begin != kNoPlace; }));
  StepJoin join;
  const auto set_zone = [&] {
    return zones.set_zone(join.rollout->folder, *join.east,
                      fmt::format("joined with {}, whose steps then lie where files with known times say", last_part(source.path)));
  };
  if (placed == 0) {
    join = join_rollouts(log, rollouts.all(), marked, traces);
    if (join.begin.empty()) {
      const std::string why_not_rollouts = join.text;
      join = join_marked_steps(log, marked);
      const std::string why_not_marks = join.begin.empty() ? join.text : std::string();
      if (join.begin.empty()) join = join_traces(log, traces);
      for (const std::string& why : {why_not_marks, why_not_rollouts}) {
        if (!why.empty()) join.text += (join.text.empty() ? "" : "; ") + why;
      }
    } else if (shows_zone(join) && set_zone()) {
      for (auto& [step, begin] : join.begin) begin -= *join.east;
      rollouts.update(*join.rollout, zones);  // later logs are joined with them in this zone
    } else if (join.rollout->local) {
      zones.keep_local(join.rollout->folder);
      join.text += "; these are local times, zone unknown";
    }
    // Such a log has no times of its own: it counts recorded time, and the user's offset moves it from there.
    for (const auto& [step, begin] : join.begin) log.steps[step].begin = begin.ns;
  }
  const LaidOut laid = lay_end_to_end(log);
  const std::string stated = log.files.front().placing + (unknown_zone() ? "; local time, zone unknown" : "");
  if (laid.placed == 0) return join.text.empty() ? stated : join.text;
  const std::string text =
      laid.placed == laid.steps
          ? fmt::format("laid end to end: the log does not say when {} {} ran", unit.starts_with('i') ? "an" : "a",
                        unit)
          : fmt::format("{} of {} {}s laid end to end, from where a time is known", laid.placed, laid.steps, unit);
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

void place_steps(std::vector<SourceView>& views, TimeZones& zones, const std::vector<TimedFile>& known,
                 const std::vector<OtherRollout>& others) {
  const std::vector<StepTrace> traces = traces_of(known);
  const std::vector<MarkedSteps> marked = marked_steps_of(known);
  RolloutFolders rollouts(views, others, zones);
  for (SourceView* const each : logs_to_place(views, rollouts.all(), marked, traces)) {
    SourceView& view = *each;
    auto log = std::make_shared<MetricLog>();
    log->append(*view.metrics, 0, 0);  // a copy, because others may share the log that was read
    log->files.front().placing = place(*log, view.info, rollouts, marked, traces, zones);
    const auto lane = view.lanes.find(kStepTrack);
    const bool all_guessed = log->files.front().placing.find("laid end to end: ") != std::string::npos;
    if (lane != view.lanes.end() && all_guessed) lane->second.path.back().name += ", end to end";
    if (!log->steps.empty() || !log->marks.empty()) add_slices(view, *log);
    if (view.window) {
      const TimeRange window = view.window->plain();
      const auto outside = [&](Ns begin, Ns end) { return begin >= window.end || (begin < window.begin && end <= window.begin); };
      std::erase_if(log->steps, [&](const MetricStep& s) { return outside(s.begin, s.begin + s.duration); });
      std::erase_if(log->marks, [&](const StepMark& mark) { return outside(mark.time, mark.time); });
    }
    view.metrics = std::move(log);
  }
}

}  // namespace

std::vector<std::vector<TimeRange>> rollout_extents(const RolloutLog& log) {
  std::vector<std::map<std::int32_t, TimeRange>> runs(log.files.size());
  const auto include = [&](std::uint32_t file, std::int32_t run, Ns begin, Ns end) {
    const auto [known, is_new] = runs[file].try_emplace(run, TimeRange{begin, end});
    if (!is_new) known->second.include(begin, end);
  };
  for (std::uint32_t f = 0; f < log.files.size(); ++f) {
    const RolloutFile& file = log.files[f];
    if (file.begun) include(f, 0, file.first_end - to_ns(file.first_seconds), file.first_end);
  }
  for (const RolloutPhase& phase : log.phases) include(phase.file, phase.run, phase.end - to_ns(phase.seconds), phase.end);
  std::vector<std::vector<TimeRange>> out(runs.size());
  for (std::size_t f = 0; f < runs.size(); ++f) {
    for (const auto& [run, extent] : runs[f]) {
      if (!extent.empty()) out[f].push_back(extent);
    }
  }
  return out;
}

void place_logs(std::vector<SourceView>& views, const std::vector<TimedFile>& other_files,
                const std::vector<OtherRollout>& other_rollouts) {
  const bool steps = std::ranges::any_of(views, [](const SourceView& view) { return view.metrics != nullptr; });
  if (!steps && std::ranges::none_of(views, [](const SourceView& view) { return view.info.local_time; })) return;
  // With a time window, the slices of a trace do not cover its full length.
  const bool whole = std::ranges::none_of(views, [](const SourceView& view) { return view.window.has_value(); });
  std::vector<TimedFile> known = timed_files(views, steps && whole);
  known.insert(known.end(), other_files.begin(), other_files.end());
  sort_by_path(known);
  TimeZones zones(views, known);
  if (steps) place_steps(views, zones, whole ? known : std::vector<TimedFile>(), other_rollouts);
  zones.finish();
}

}  // namespace tv

#include "core/analysis/gpu/step_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "core/analysis/scope/device_work.h"
#include "core/base/names/natural_less.h"
#include "core/base/text/ascii.h"
#include "core/base/text/path_parts.h"
#include "core/store/clock/step_slices.h"
#include "core/store/logs/pipeline_run.h"
#include "core/store/rules/iteration_rules.h"
#include "core/store/trace/tell_recordings.h"

namespace tv {
namespace {

constexpr std::string_view kProfilerStepWord = "profilerstep";  // torch.profiler: ProfilerStep#N
constexpr std::string_view kLaneOfSteps = "Steps";  // JAX and TensorFlow: slices on this lane are named by their number only

struct StepWord {
  std::string unit;  // as the program writes it: "ProfilerStep#"
  std::optional<std::int64_t> number;
  bool bare = false;  // the name is only a number
};

std::optional<StepWord> step_word(const LabelTable& labels, LabelId label) {
  const std::string_view name = labels.name(label);
  if (const std::string_view steps = engine_steps(labels.category(label), name); !steps.empty()) {
    StepWord out;
    out.unit = steps;
    return out;
  }
  std::size_t size = name.size();
  while (size > 0 && is_digit(name[size - 1])) --size;
  StepWord out;
  std::int64_t number = 0;
  if (size < name.size()) {
    const auto [end, wrong] = std::from_chars(name.data() + size, name.data() + name.size(), number);
    if (wrong != std::errc()) return std::nullopt;
    out.number = number;
  }
  std::string word;
  for (const char c : name.substr(0, size)) {
    if ((c >= 'a' && c <= 'z') || is_digit(c)) word += c;
    if (c >= 'A' && c <= 'Z') word += static_cast<char>(c + ('a' - 'A'));
  }
  out.bare = size == 0 && out.number.has_value();
  if (!out.bare && word != kProfilerStepWord && !is_step_word(word)) return std::nullopt;
  out.unit = name.substr(0, size);
  while (!out.unit.empty() && (out.unit.back() == ' ' || out.unit.back() == '_')) out.unit.pop_back();
  return out;
}

void sort_steps(std::vector<StepRange>& steps) {
  std::ranges::sort(steps, {}, [](const StepRange& s) { return std::tuple(s.range.begin, s.number); });
}

void add_rollouts(const Rollout& rollout, std::vector<StepSource>& out) {
  std::vector<bool> holds(rollout.steps.size());  // the step has a request or a phase; files that only began have none yet
  for (const WorkerStep& part : rollout.worker_steps) {
    if (part.first < part.end || !part.phases.empty()) holds[part.step] = true;
  }
  std::int32_t run = -1;
  for (std::size_t s = 0; s < rollout.steps.size(); ++s) {
    const RolloutStep& step = rollout.steps[s];
    if (!holds[s]) continue;
    if (step.run != run) out.push_back({StepsOf::Rollout, rollout.runs[static_cast<std::size_t>(step.run)], "step", {}});
    run = step.run;
    out.back().steps.push_back({step.step, step.step, step.extent, fmt::format("step {}", step.step)});
  }
}

void add_training(const Trace& trace, std::vector<StepSource>& out) {
  const MetricLog& log = trace.metrics;
  for (std::uint32_t f = 0; f < log.files.size(); ++f) {
    const MetricFile& file = log.files[f];
    StepSource source{StepsOf::Training, std::string(last_part(trace.sources[file.source].path)), file.unit, {}};
    for (const MetricStep& step : log.steps_of(f)) {
      if (step.begin == kNoPlace || step.duration <= 0) continue;
      source.steps.push_back({step.first_step, step.step, {step.begin, step.begin + step.duration},
                              step_title(log, step)});
    }
    if (!source.steps.empty()) out.push_back(std::move(source));
  }
}

void add_pipelines(const Trace& trace, std::vector<StepSource>& out) {
  const PipelineLog& log = trace.pipeline;
  for (const PipelineRun& run : pipeline_runs(log)) {
    StepSource source{StepsOf::Pipeline, std::string(log.text(log.devices[run.stages.front()].run)), "step", {}};
    for (const PipelineRunStep& step : run.steps) {
      source.steps.push_back({step.number, step.number, step.span, fmt::format("step {}", step.number)});
    }
    if (!source.steps.empty()) out.push_back(std::move(source));
  }
}

LaneId process_of(const Trace& trace, LaneId lane) {
  while (trace.lane(lane).parent != kNone<LaneId>) lane = trace.lane(lane).parent;
  return lane;
}

// By source: whether it is a log. The steps of logs come from their records, which have more data than slices.
std::vector<bool> sources_of_logs(const Trace& trace) {
  std::vector<bool> logs(trace.sources.size(), false);
  for (const RolloutFile& file : trace.rollout.files) logs[file.source] = true;
  for (const MetricFile& file : trace.metrics.files) logs[file.source] = true;
  for (const PipelineDevice& device : trace.pipeline.devices) logs[device.source] = true;
  return logs;
}

class MarkedSteps {
 public:
  explicit MarkedSteps(const Trace& trace) : trace_(trace), logs_(sources_of_logs(trace)) {
    bool any = false;
    for (std::size_t l = 0; l < trace.labels.size(); ++l) {
      const auto label = id_at<LabelId>(l);
      words_.push_back(step_word(trace.labels, label));
      const bool projected = is_of(WorkKind::projected, trace.labels.category(label), trace.labels.name(label));
      projected_.push_back(projected);
      any |= words_.back().has_value();
    }
    for (std::size_t l = 0; any && l < trace.lanes.size(); ++l) collect(id_at<LaneId>(l));
  }

  // If a process marks several things (micro-batches in iterations), those that its profiler marked come first, then those with
  // more time, because they contain the others.
  void add_to(std::vector<StepSource>& out) {
    const LaneFiles files(trace_);
    std::vector<decltype(best_)::iterator> found;
    for (auto each = best_.begin(); each != best_.end(); ++each) found.push_back(each);
    std::ranges::stable_sort(found, {}, [](const auto& each) {
      return std::tuple(each->first.first, !each->first.second.starts_with("Profile"), -each->second.total);
    });
    for (const auto& each : found) {
      Best& best = each->second;
      sort_steps(best.steps);
      number_from_0(best.steps);
      const LaneId process = each->first.first;
      out.push_back({StepsOf::Marked, trace_.lane(process).name, each->first.second, std::move(best.steps), process,
                     std::string(files.recording(process))});
    }
  }

 private:
  struct Best {
    bool projected = true;
    Ns total = -1;
    std::vector<StepRange> steps;
  };

  void collect(LaneId lane) {
    const LaneKind kind = trace_.lane(lane).kind;
    if (kind == LaneKind::Requests || kind == LaneKind::Phases) return;  // slices of rollout logs, whose steps come from folders
    const bool bare = trace_.lane(lane).name == kLaneOfSteps;
    std::map<std::string_view, Best> of_unit;
    for (const Row& row : trace_.rows_of(trace_.lane(lane))) {
      if (row.kind != RowKind::Slices) continue;
      const RowSlices slices = trace_.slices_of(row);
      for (std::size_t i = 0; i < slices.size(); ++i) {
        const std::size_t label = idx(slices.label(i));
        const std::optional<StepWord>& word = words_[label];
        if (!word || word->bare != bare || logs_[idx(trace_.ref_of(slices.id(i)).source())]) continue;
        if (slices.duration(i) == 0) continue;
        Best& found = of_unit[word->unit];
        found.projected = projected_[label];
        found.total = std::max<Ns>(found.total, 0) + slices.duration(i);
        found.steps.push_back({word->number.value_or(-1), word->number.value_or(-1), {slices.begin(i), slices.end(i)},
                               std::string(trace_.labels.name(slices.label(i)))});
      }
    }
    for (auto& [unit, found] : of_unit) {
      // A range "step" that occurs only once is likely something else.
      if (found.steps.size() < 2 && found.steps.front().number < 0) continue;
      Best& best = best_[{process_of(trace_, lane), std::string(unit)}];
      if (std::pair(!found.projected, found.total) > std::pair(!best.projected, best.total)) best = std::move(found);
    }
  }

  static void number_from_0(std::vector<StepRange>& steps) {
    if (std::ranges::all_of(steps, [](const StepRange& s) { return s.number >= 0; })) return;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      steps[s].first = steps[s].number = static_cast<std::int64_t>(s);
      steps[s].name += fmt::format(" ({})", s);
    }
  }

  const Trace& trace_;
  std::vector<bool> logs_, projected_;
  std::vector<std::optional<StepWord>> words_;  // by label
  std::map<std::pair<LaneId, std::string>, Best> best_;
};

struct Hit {
  const StepSource* source;
  const StepRange* step;
};

std::vector<Hit> hits_of(std::span<const StepSource> sources, std::string_view wanted) {
  const std::optional<std::int64_t> number = whole_number(wanted);
  std::vector<Hit> out;
  for (const StepSource& source : sources) {
    for (const StepRange& step : source.steps) {
      if (step.name != wanted && !(number && step.first <= *number && *number <= step.number)) continue;
      // If a log prints a step again, the step was repeated, and the repetition counts.
      const bool again = source.kind == StepsOf::Training && !out.empty() && out.back().source == &source;
      if (again) out.pop_back();
      out.push_back({&source, &step});
    }
  }
  return out;
}

std::string known_steps(std::span<const StepSource> sources) {
  std::string out;
  for (const StepSource& source : sources) {
    const auto [least, most] = std::ranges::minmax(source.steps, {}, &StepRange::number);
    const std::string numbers = least.first == most.number ? fmt::format("{}", most.number) : fmt::format("{} to {}", least.first, most.number);
    const std::string text = fmt::format("{} {} of {}", source.unit, numbers, source.of);
    if (out.size() < 200) out += (out.empty() ? "" : ", ") + text;
  }
  return out;
}

}  // namespace

std::string_view name(StepsOf kind) {
  constexpr std::array<std::string_view, 4> kNames = {"rollout", "training", "pipeline", "marked"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool may_have_steps(const Trace& trace) {
  for (std::size_t l = 0; l < trace.labels.size(); ++l) {
    if (step_word(trace.labels, id_at<LabelId>(l))) return true;
  }
  return false;
}

std::vector<StepSource> steps_of(const Trace& trace, const Rollout* rollout) {
  std::vector<StepSource> out;
  if (rollout) add_rollouts(*rollout, out);
  add_training(trace, out);
  add_pipelines(trace, out);
  MarkedSteps(trace).add_to(out);
  for (StepSource& source : out) sort_steps(source.steps);
  return out;
}

Result<FoundStep> find_step(std::span<const StepSource> sources, std::string_view wanted) {
  const std::vector<Hit> hits = hits_of(sources, wanted);
  if (hits.empty()) {
    const std::string known = known_steps(sources);
    return Error{fmt::format("there is no step {}", wanted), {}, {},
                 known.empty() ? "no open file numbers its steps" : "there are " + known};
  }
  const Hit& first = hits.front();
  FoundStep out{first.step->range, {}};
  std::size_t together = 1, elsewhere = 0;
  for (const Hit& hit : std::span(hits).subspan(1)) {
    const bool alike = hit.source->kind == first.source->kind && hit.source->unit == first.source->unit;
    if (!alike) continue;
    const TimeRange& range = hit.step->range;
    const bool shared = range.begin < out.range.end && out.range.begin < range.end;
    if (shared && first.source->kind != StepsOf::Rollout && hit.source->may_be_with(*first.source)) {
      out.range.include(range.begin, range.end);
      ++together;
    } else {
      ++elsewhere;
    }
  }
  out.text = together > 1 ? fmt::format("{} of {} processes", first.step->name, together)
                          : fmt::format("{} of {}", first.step->name, first.source->of);
  if (first.source->kind != StepsOf::Marked) out.text += fmt::format(" ({})", name(first.source->kind));
  if (elsewhere > 0) out.text += fmt::format(", the first of {}", elsewhere + 1);
  return out;
}

}  // namespace tv

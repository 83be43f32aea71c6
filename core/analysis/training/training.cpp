#include "core/analysis/training/training.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/analysis/statistics/summary.h"
#include "core/base/text/path_parts.h"
#include "core/store/logs/verl_metrics.h"

namespace tv {
namespace {

TrainingRun run_of(const MetricLog& log, std::uint32_t file, const std::vector<std::string>& canonical) {
  TrainingRun run;
  run.file = file;
  run.unit = log.files[file].unit;
  // The lines of a step since its last repetition. `record` is the last line with a duration, or else the last line.
  struct Lines {
    std::vector<std::uint32_t> lines;
    std::uint32_t record = 0;
    bool timed = false;
    std::ptrdiff_t ahead = 0;  // number of lines before the one with a duration: some trainers print other lines of the step first
  };
  std::map<std::int64_t, Lines> steps;
  const std::span<const MetricStep> lines_of_file = log.steps_of(file);
  const auto first = static_cast<std::uint32_t>(lines_of_file.data() - log.steps.data());
  for (std::uint32_t s = first; s < first + lines_of_file.size(); ++s) {
    const MetricStep& line = log.steps[s];
    const auto [at, is_new] = steps.try_emplace(line.step);
    Lines& known = at->second;
    const bool timed = line.duration > 0;
    if (timed && !known.timed) known.ahead = std::ssize(known.lines);
    if (timed && known.timed) {
      // The lines just before this one belong to the repetition, too: as many as came before the first line with a duration.
      const auto later = std::ranges::upper_bound(known.lines, known.record);
      known.lines.erase(known.lines.begin(), known.lines.end() - std::min(known.ahead, known.lines.end() - later));
      ++run.repeated;
    }
    if (is_new || timed || !known.timed) known.record = s;
    known.timed = known.timed || timed;
    known.lines.push_back(s);
  }
  std::map<std::string_view, std::size_t> metric_of;
  for (const auto& [number, lines] : steps) {
    const std::size_t position = run.steps.size();
    run.steps.push_back(number);
    run.records.push_back(lines.record);
    for (const std::uint32_t s : lines.lines) {
      for (std::uint32_t v = 0; v < log.steps[s].value_count; ++v) {
        const MetricValue& value = log.values[log.steps[s].first_value + v];
        const std::string& name = canonical[value.name];
        const auto [metric, is_new] = metric_of.try_emplace(name, run.metrics.size());
        if (is_new) run.metrics.push_back({name, {}});
        std::vector<double>& values = run.metrics[metric->second].values;
        values.resize(steps.size(), kNotMeasured);
        values[position] = std::isfinite(value.value) ? value.value : kNotMeasured;
      }
    }
  }
  std::ranges::sort(run.metrics, {}, &Metric::name);
  return run;
}

}  // namespace

const Metric* TrainingRun::find(std::string_view metric) const {
  const auto at = std::ranges::lower_bound(metrics, metric, {}, [](const Metric& m) { return std::string_view(m.name); });
  return at != metrics.end() && at->name == metric ? &*at : nullptr;
}

std::optional<std::uint32_t> TrainingRun::index_of(std::int64_t step) const {
  const auto at = std::ranges::lower_bound(steps, step);
  if (at == steps.end() || *at != step) return std::nullopt;
  return static_cast<std::uint32_t>(at - steps.begin());
}

std::shared_ptr<const Training> make_training(std::shared_ptr<const Trace> trace) {
  auto training = std::make_shared<Training>();
  training->trace = std::move(trace);
  const MetricLog& log = training->log();
  std::vector<std::string> canonical;
  for (std::size_t n = 0; n < log.names.size(); ++n) canonical.push_back(canonical_metric(log.names[id_at<StrId>(n)]));
  std::map<std::string_view, int> files_of_name;
  for (const MetricFile& file : log.files) ++files_of_name[last_part(training->trace->sources[file.source].path)];
  for (std::uint32_t f = 0; f < log.files.size(); ++f) {
    TrainingRun run = run_of(log, f, canonical);
    if (run.steps.empty()) continue;
    const std::string& path = training->trace->sources[log.files[f].source].path;
    const std::string_view name = last_part(path);
    run.name = files_of_name[name] > 1 ? path : std::string(name);
    training->runs.push_back(std::move(run));
  }
  return training;
}

}  // namespace tv

#include "core/analysis/scripts/timing_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tv {
namespace {

constexpr std::string_view kTimingPrefixes[] = {"timing_s/", "timing_per_token_ms/", "perf/"};

bool has_timing_prefix(std::string_view name) {
  return std::ranges::any_of(kTimingPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

const Metric* TimingScript::find(std::string_view name) const {
  const auto at = std::ranges::find(metrics, name, [](const Metric& m) { return std::string_view(m.name); });
  return at == metrics.end() ? nullptr : &*at;
}

TimingScript timing_script(const Training& training, const TrainingRun& run) {
  const MetricLog& log = training.log();
  std::map<std::string_view, std::vector<double>> found;
  for (const MetricStep& line : log.steps_of(run.file)) {
    for (std::uint32_t v = 0; v < line.value_count; ++v) {
      const MetricValue& value = log.values[line.first_value + v];
      if (value.plain && has_timing_prefix(log.name(value.name))) found[log.name(value.name)].push_back(value.value);
    }
  }
  TimingScript script;
  for (auto& [name, values] : found) script.metrics.push_back({std::string(name), std::move(values)});
  return script;
}

std::vector<std::string_view> timing_summary_names(const TimingScript& script) {
  std::vector<std::string_view> names = {"timing_s/step", "timing_s/gen", "perf/throughput", "perf/time_per_step"};
  if (script.find("timing_s/update_critic_actor")) {
    names.push_back("timing_s/update_critic_actor");
  } else {
    names.push_back("timing_s/update_actor");
    names.push_back("timing_s/update_critic");
  }
  std::erase_if(names, [&](std::string_view name) { return !script.find(name); });
  return names;
}

std::string timing_summary_text(const TimingScript& script) {
  const std::string rule(70, '=');
  std::string text = fmt::format("{0}\nTIMING SUMMARY STATISTICS\n{0}\n", rule);
  for (const std::string_view name : timing_summary_names(script)) {
    const Summary summary = summarize(script.find(name)->values);
    text += fmt::format("\n{}:\n  Mean:   {:.4f}\n  Std:    {:.4f}\n  Min:    {:.4f}\n  Max:    {:.4f}\n  Median: {:.4f}\n",
                        name, summary.mean, summary.std, summary.min, summary.max, summary.median);
  }
  return text + "\n" + rule + "\n";
}

}  // namespace tv

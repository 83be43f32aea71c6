#include "core/analysis/run/run_scope.h"

#include <fmt/format.h>

namespace tv {
namespace {

TrainingRun steps_within(const MetricLog& log, const TrainingRun& all, TimeRange range) {
  TrainingRun run = all;
  run.steps.clear();
  run.records.clear();
  for (Metric& metric : run.metrics) metric.values.clear();
  for (std::size_t s = 0; s < all.steps.size(); ++s) {
    const MetricStep& line = log.steps[all.records[s]];
    const Ns end = line.begin + std::max<Ns>(line.duration, 1);
    if (line.begin == kNoPlace || line.begin >= range.end || end <= range.begin) continue;
    run.steps.push_back(all.steps[s]);
    run.records.push_back(all.records[s]);
    for (std::size_t m = 0; m < run.metrics.size(); ++m) run.metrics[m].values.push_back(all.metrics[m].values[s]);
  }
  return run;
}

std::shared_ptr<const std::vector<PipelineSummary>> pipelines_within(const std::vector<PipelineSummary>& all,
                                                                     const Scope& scope) {
  auto out = std::make_shared<std::vector<PipelineSummary>>();
  for (PipelineSummary run : all) {
    std::erase_if(run.steps, [&](const PipelineStepSummary& s) { return !scope.touches(s.span.begin, s.span.end); });
    if (!run.steps.empty()) out->push_back(std::move(run));
  }
  return out->empty() ? nullptr : out;
}

}  // namespace

std::shared_ptr<const Training> training_within(const Training& all, TimeRange range) {
  auto out = std::make_shared<Training>();
  out->trace = all.trace;
  for (const TrainingRun& run : all.runs) {
    TrainingRun part = steps_within(all.log(), run, range);
    if (!part.steps.empty()) out->runs.push_back(std::move(part));
  }
  return out->runs.empty() ? nullptr : out;
}

ScopedRun run_within(const RunData& all, const Scope& scope, RunPart part, ThreadPool& pool) {
  ScopedRun out;
  out.data = all;
  const auto limit = [&](auto& data, auto limited, const std::string& words, std::string_view nothing) {
    out.inside = limited != nullptr;
    if (limited) data = std::move(limited);
    out.area_text = out.inside ? words : fmt::format("all data: {} {}", nothing, words_of(scope));
  };
  switch (part) {
    case RunPart::Gpu: {
      if (!all.gpu) break;
      auto limited = activity_within(all.gpu, scope, pool);
      const std::string words = "in " + words_of(scope, limited && !limited->on_lanes ? "all streams" : "");
      limit(out.data.gpu, std::move(limited), words, "no GPU worked in");
      break;
    }
    case RunPart::Training:
      if (!all.training) break;
      limit(out.data.training, training_within(*all.training, scope.range), "steps that touch " + words_of(scope),
            "no step touches");
      break;
    case RunPart::Pipeline:
      if (!all.pipelines) break;
      limit(out.data.pipelines, pipelines_within(*all.pipelines, scope), "steps that touch " + words_of(scope),
            "no step touches");
      break;
    case RunPart::Rollout:
    case RunPart::Slices: break;  // slice charts apply the scope themselves
  }
  return out;
}

}  // namespace tv

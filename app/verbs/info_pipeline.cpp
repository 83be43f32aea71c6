#include "app/verbs/info_pipeline.h"

#include "app/terminal/json_value.h"
#include "app/terminal/say.h"
#include "core/base/text/count_text.h"
#include "core/base/time.h"

namespace tv {
namespace {

using PipelineJson = nlohmann::ordered_json;

PipelineJson stage_json(const StageStep& stage) {
  if (!stage.present) return nullptr;
  PipelineJson work = PipelineJson::object(), idle = PipelineJson::object();
  for (std::size_t w = 0; w < kPipelineWorks; ++w) {
    if (stage.work[w] > 0) work[std::string(name(static_cast<PipelineWork>(w)))] = stage.work[w];
  }
  for (std::size_t p = 0; p < kStagePhases; ++p) {
    idle[std::string(name(static_cast<StagePhase>(p)))] = stage.phase_idle[p];
  }
  idle["end"] = stage.other_idle;
  return {{"busy_ns", stage.busy},      {"bubble", stage.bubble}, {"compute_bubble", stage.compute_bubble},
          {"factor", stage.factor},     {"work_ns", work},        {"idle_ns", idle},
          {"on_path_ns", stage.on_path}};
}

PipelineJson pipeline_step_json(const PipelineStepSummary& step) {
  PipelineJson stages = PipelineJson::array();
  for (const StageStep& stage : step.stages) stages.push_back(stage_json(stage));
  return {{"step", step.number},
          {"attempt", step.attempt},
          {"begin_ns", step.span.begin},
          {"length_ns", step.span.length()},
          {"compute_ns", step.compute.length()},
          {"micro_batches", step.shape.micro_batches},
          {"chunks", step.shape.chunks},
          {"ideal", step.ideal ? PipelineJson(*step.ideal) : PipelineJson(nullptr)},
          {"ideal_interleaved", step.ideal_interleaved ? PipelineJson(*step.ideal_interleaved) : PipelineJson(nullptr)},
          {"bubble", step.bubble},
          {"compute_bubble", step.compute_bubble},
          {"slowest", step.slowest},
          {"in_order", step.in_order},
          {"too_early", step.too_early},
          {"path_wait_ns", step.path_wait},
          {"stages", std::move(stages)}};
}

}  // namespace

nlohmann::ordered_json pipelines_json(const std::vector<PipelineSummary>& runs) {
  PipelineJson out = PipelineJson::array();
  for (const PipelineSummary& run : runs) {
    PipelineJson stages = PipelineJson::array(), steps = PipelineJson::array();
    for (const std::string& stage : run.stages) stages.push_back(json_value(stage));
    for (const PipelineStepSummary& step : run.steps) steps.push_back(pipeline_step_json(step));
    out.push_back({{"run", json_value(run.name)}, {"stages", std::move(stages)}, {"steps", std::move(steps)}});
  }
  return out;
}

void print_pipelines(const std::vector<PipelineSummary>& runs) {
  for (const PipelineSummary& run : runs) {
    const PipelineStepSummary& last = run.steps.back();
    say("\npipeline {}: {}, {}, steps {} to {}; ", run.name, count_text(run.stages.size(), "stage"),
        count_text(static_cast<std::uint64_t>(last.shape.micro_batches), "micro-batch", "micro-batches"), run.steps.front().number,
        last.number);
    last.ideal ? say("ideal bubble {:.2f} %", 100 * *last.ideal) : say("no ideal bubble: {}", last.no_ideal);
    if (last.ideal_interleaved) say(", interleaved {:.2f} %", 100 * *last.ideal_interleaved);
    say("\n{:>12} {:>10} {:>14} {:>10} {:>12}  stage\n", "busy/step", "bubble %", "fwd/bwd only %", "x median",
        "on the path");
    for (std::size_t s = 0; s < run.stages.size(); ++s) {
      StageStep sum;
      double steps = 0, factor = 0;
      for (const PipelineStepSummary& step : run.steps) {
        const StageStep& stage = step.stages[s];
        if (!stage.present) continue;
        steps += 1;
        sum.busy += stage.busy;
        sum.bubble += stage.bubble;
        sum.compute_bubble += stage.compute_bubble;
        sum.on_path += stage.on_path;
        factor += stage.factor;
      }
      if (steps == 0) continue;
      const auto mean = [&](Ns ns) { return format_duration(static_cast<Ns>(static_cast<double>(ns) / steps)); };
      say("{:>12} {:>10.2f} {:>14.2f} {:>10.3f} {:>12}  {}\n", mean(sum.busy), 100 * sum.bubble / steps,
          100 * sum.compute_bubble / steps, factor / steps, mean(sum.on_path), run.stages[s]);
    }
  }
}

}  // namespace tv

#include "core/analysis/run/run_data.h"

#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/run/damaged_files.h"

namespace tv {

RunData analyse_run(const std::shared_ptr<const Trace>& trace, ThreadPool& pool, const RunData& earlier) {
  RunData data;
  data.trace = trace;
  data.damaged = damaged_files(*trace, pool, earlier.damaged.empty() && !earlier.empty() ? earlier.trace.get() : nullptr);
  if (!data.damaged.empty()) return data;
  data.rollout = make_rollout(trace, pool, earlier.rollout.get());
  if (data.rollout->steps.empty()) data.rollout.reset();
  data.training = make_training(trace);
  if (data.training->runs.empty()) data.training.reset();
  if (!trace->pipeline.empty()) {
    data.pipelines = std::make_shared<const std::vector<PipelineSummary>>(pipeline_summaries(trace->pipeline));
  }
  if (may_have_gpus(*trace)) data.gpu = make_gpu_activity(trace, pool, {}, earlier.gpu.get());
  if (data.gpu && data.gpu->gpus.empty()) data.gpu.reset();
  if (data.gpu) data.paces = std::make_shared<const std::vector<PaceName>>(pace_names(*trace));
  if (data.gpu) data.waits = make_collective_waits(*data.gpu);
  if (data.gpu) data.captures = std::make_shared<const std::vector<GpuCapture>>(check_captures(*data.gpu, pool));
  auto steps = std::make_shared<const std::vector<StepSource>>(steps_of(*trace, data.rollout.get()));
  if (!steps->empty()) data.steps = std::move(steps);
  return data;
}

bool has_run_data(const Trace& trace) {
  return !trace.rollout.empty() || !trace.metrics.empty() || !trace.pipeline.empty() || may_have_gpus(trace) ||
         may_have_steps(trace);
}

}  // namespace tv

#include "core/analysis/gpu/gpu_marks.h"

namespace tv {

std::shared_ptr<const GpuMarks> make_gpu_marks(std::shared_ptr<const GpuActivity> activity,
                                               const std::vector<StepSource>* sources, ThreadPool& pool) {
  auto marks = std::make_shared<GpuMarks>();
  if (sources) marks->steps = gpu_steps(*activity, *sources, pool);
  marks->exposed = exposed_time(*activity, pool);
  marks->activity = std::move(activity);
  return marks;
}

}  // namespace tv

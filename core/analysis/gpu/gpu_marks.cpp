#include "core/analysis/gpu/gpu_marks.h"

namespace tv {

std::shared_ptr<const GpuMarks> make_gpu_marks(std::shared_ptr<const GpuActivity> activity,
                                               const std::vector<StepSource>* sources) {
  auto marks = std::make_shared<GpuMarks>();
  if (sources) marks->steps = gpu_steps(*activity, *sources);
  marks->exposed = exposed_time(*activity);
  marks->activity = std::move(activity);
  return marks;
}

}  // namespace tv

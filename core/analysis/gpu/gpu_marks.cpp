#include "core/analysis/gpu/gpu_marks.h"

namespace tv {

std::shared_ptr<const GpuMarks> make_gpu_marks(std::shared_ptr<const GpuActivity> activity,
                                               const std::vector<StepSource>* sources, ThreadPool& pool,
                                               const GpuMarks* earlier) {
  static const GpuMarks kNoMarks;
  const std::vector<SameGpu> same = same_gpus(*activity, earlier ? earlier->activity.get() : nullptr);
  if (!earlier) earlier = &kNoMarks;
  auto marks = std::make_shared<GpuMarks>();
  if (sources) {
    marks->progress = gpu_progress(*activity, *sources, pool, same, earlier->progress);
    marks->steps = gpu_steps(*activity, *sources, marks->progress);
  }
  marks->exposed = exposed_time(*activity, pool, same, earlier->exposed);
  marks->activity = std::move(activity);
  return marks;
}

}  // namespace tv

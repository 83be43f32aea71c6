// GPU data that is shown outside the GPU panels: the time in each step, for the strip of steps, and exposed communication, for
// the lanes. Made in the background, once per trace and rules. Cost: two sweeps of each GPU that is new, GPUs on all threads.
#pragma once

#include <memory>
#include <vector>

#include "core/analysis/gpu/exposed_time.h"
#include "core/analysis/gpu/gpu_steps.h"

namespace tv {

struct GpuMarks {
  std::shared_ptr<const GpuActivity> activity;
  std::vector<GpuSteps> steps;  ///< by source; empty if no source numbers steps
  std::vector<GpuProgress> progress;  ///< by GPU; `steps` is made from it
  ExposedTime exposed;
};

/// `sources`: from steps_of() for the same trace, or null. GPUs that did the same in `earlier` marks are not swept again.
std::shared_ptr<const GpuMarks> make_gpu_marks(std::shared_ptr<const GpuActivity> activity,
                                               const std::vector<StepSource>* sources, ThreadPool& pool,
                                               const GpuMarks* earlier = nullptr);

}  // namespace tv

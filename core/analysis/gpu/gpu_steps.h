// The time of each rank's GPUs in each step that a program marked (ProfilerStep#6, NVTX "iteration 12").
//
//   rank 1, step 6     |<---- begin to end of the range on the CPU ---->|
//   its GPU         kkk[gemm][ allreduce ]        [gemm][memcpy][  gemm |...   what runs later counts for the step
//   parts              | c   | exposed   | idle   | c   | memory| c     |      in which it runs
//
// Invariant: the parts and idle() add up to the recorded part of the step's time; steps of one list may overlap. A step's GPUs
// are those of its process. If the only process that marks steps has no GPU (a controller of workers, traces that keep devices
// apart), it owns all GPUs; they count as recorded from their first work to their last. Otherwise the owner is unknown. Cost: one
// sweep per GPU (gpu_sweep.h), GPUs on all threads; memory O(steps * GPUs).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"
#include "core/analysis/gpu/same_gpus.h"
#include "core/analysis/gpu/step_ranges.h"

namespace tv {

/// For one StepSource.
struct GpuSteps {
  std::vector<std::uint32_t> gpus;  ///< indices into GpuActivity::gpus; empty: the GPUs of its steps are unknown
  std::vector<GpuTime> time;        ///< by step, then by GPU
  std::vector<Ns> recorded;         ///< in the same order
  Ns outside = 0;                   ///< busy time of all its GPUs before, between and after its steps
};

/// A GPU's time from the beginning to each border of its steps, in order.
struct GpuProgress {
  std::vector<Ns> borders;
  std::vector<GpuTime> done;
};
/// By GPU. If a GPU did the `same` as before, its `earlier` progress is reused, provided its borders have moved with it.
std::vector<GpuProgress> gpu_progress(const GpuActivity& activity, std::span<const StepSource> sources, ThreadPool& pool,
                                      std::span<const SameGpu> same = {}, std::span<const GpuProgress> earlier = {});
/// By source.
std::vector<GpuSteps> gpu_steps(const GpuActivity& activity, std::span<const StepSource> sources,
                                std::span<const GpuProgress> progress);
std::vector<GpuSteps> gpu_steps(const GpuActivity& activity, std::span<const StepSource> sources, ThreadPool& pool);

/// One GPU in one step.
struct GpuInStep {
  std::uint32_t source = 0, step = 0, gpu = 0;
  TimeRange range;  ///< of its own rank's step
  GpuTime time;
  Ns recorded = 0;

  Ns idle() const { return recorded - time.busy(); }
};
/// All GPUs of all ranks that did this step together: their steps have the same number and unit, overlap it in time and belong to
/// the same recording. In the order of sources. If there are no others, only the step's own GPUs.
std::vector<GpuInStep> gpus_in_step(std::span<const StepSource> sources, std::span<const GpuSteps> steps,
                                    std::uint32_t source, std::uint32_t step);

/// Means over these GPUs: each part in seconds, and which GPU had the most.
struct GpuStepMean {
  double compute = 0, overlapped = 0, exposed = 0, graph = 0, memory = 0, beside_graph = 0, idle = 0;  ///< as in GpuTime
  double length = 0;                                         ///< mean length of the steps
  double unrecorded = 0;                                     ///< the part of `length` that was not recorded
  std::size_t longest = 0, most_exposed = 0, most_idle = 0;  ///< indices into the given list

  double computing() const { return compute + overlapped - beside_graph; }
  double graphs() const { return graph + beside_graph; }
};
GpuStepMean mean_of(std::span<const GpuInStep> gpus);

}  // namespace tv

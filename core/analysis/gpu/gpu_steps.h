// The time of each rank's GPUs in each step that a program marked (ProfilerStep#6, NVTX "iteration 12").
//
//   rank 1, step 6     |<---- begin to end of the range on the CPU ---->|
//   its GPU         kkk[gemm][ allreduce ]        [gemm][memcpy][  gemm |...   what runs later counts for the step
//   parts              | c   | exposed   | idle   | c   | memory| c     |      in which it runs
//
// Invariant: the parts and idle() add up to the recorded part of the step's time; steps of one list may overlap.
// A step's GPUs are those of its process. If only one process marks steps and it has no GPU (a controller of workers,
// traces that keep devices apart), all GPUs are its own, recorded from their first work to their last. Otherwise their owner
// is unknown. Cost: one sweep per GPU (gpu_sweep.h), GPUs on all threads; memory O(steps * GPUs).
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
  std::vector<GpuTime> time;        ///< step by step, in it GPU by GPU
  std::vector<Ns> recorded;         ///< in the same order
  Ns outside = 0;                   ///< time that all its GPUs were busy before, between and after its steps
};

/// A GPU's time from the beginning to each border of its steps, in order.
struct GpuProgress {
  std::vector<Ns> borders;
  std::vector<GpuTime> done;
};
/// By GPU. For a GPU that is the `same` as before, the `earlier` progress is used again if its borders have moved with it.
std::vector<GpuProgress> gpu_progress(const GpuActivity& activity, std::span<const StepSource> sources, ThreadPool& pool,
                                      std::span<const SameGpu> same = {}, std::span<const GpuProgress> earlier = {});
/// As `sources`.
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
/// All GPUs of all ranks that did this step together: steps with the same number and unit that overlap it in time and are in
/// the same recording. In the order of sources. Only the step's own GPUs where there are no others.
std::vector<GpuInStep> gpus_in_step(std::span<const StepSource> sources, std::span<const GpuSteps> steps,
                                    std::uint32_t source, std::uint32_t step);

/// Over all these: the mean of each part in seconds, and which had the most.
struct GpuStepMean {
  double compute = 0, overlapped = 0, exposed = 0, graph = 0, memory = 0, beside_graph = 0, idle = 0;  ///< as in GpuTime
  double length = 0;                                         ///< of the steps
  double unrecorded = 0;                                     ///< part of it that was not recorded
  std::size_t longest = 0, most_exposed = 0, most_idle = 0;  ///< indices into the given list

  double computing() const { return compute + overlapped - beside_graph; }
  double graphs() const { return graph + beside_graph; }
};
GpuStepMean mean_of(std::span<const GpuInStep> gpus);

}  // namespace tv

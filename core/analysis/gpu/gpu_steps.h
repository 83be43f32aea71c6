// What the GPUs of each rank did in each step that a program marked (ProfilerStep#6, NVTX "iteration 12").
//
//   rank 1, step 6     |<---- begin to end of the range on the CPU ---->|
//   its GPU         kkk[gemm][ allreduce ]        [gemm][memcpy][  gemm |...   what runs later counts for the step
//   parts              | c   | exposed   | idle   | c   | memory| c     |      in which it runs
//
// Invariant: the parts and idle() add up to what was recorded of the step's time; steps of one list may overlap.
// A step's GPUs are those of its process. Where one process alone marks steps and has no GPU (a controller of workers,
// traces that keep devices apart), all GPUs are its own, recorded from their first work to their last; else whose they
// are is not known. Cost: one sweep per GPU (gpu_sweep.h), GPUs on all threads; memory O(steps * GPUs).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"
#include "core/analysis/gpu/same_gpus.h"
#include "core/analysis/gpu/step_ranges.h"

namespace tv {

/// Of one StepSource.
struct GpuSteps {
  std::vector<std::uint32_t> gpus;  ///< of GpuActivity::gpus; empty: it is not known what its steps did on a GPU
  std::vector<GpuTime> time;        ///< step by step, in it GPU by GPU
  std::vector<Ns> recorded;         ///< likewise
  Ns outside = 0;                   ///< of all its GPUs: busy before, between and after its steps
};

/// What a GPU had done from the beginning to the borders of its steps, which are in order.
struct GpuProgress {
  std::vector<Ns> borders;
  std::vector<GpuTime> done;
};
/// By GPU. Of one that did the `same` before, what is known of the `earlier` ones serves where its borders have moved with it.
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

/// Of all these: the mean of each part in seconds, and who had the most.
struct GpuStepMean {
  double compute = 0, overlapped = 0, exposed = 0, graph = 0, memory = 0, beside_graph = 0, idle = 0;  ///< as in GpuTime
  double length = 0;                                         ///< of the steps
  double unrecorded = 0;                                     ///< of it
  std::size_t longest = 0, most_exposed = 0, most_idle = 0;  ///< indices into what was given

  double computing() const { return compute + overlapped - beside_graph; }
  double graphs() const { return graph + beside_graph; }
};
GpuStepMean mean_of(std::span<const GpuInStep> gpus);

}  // namespace tv

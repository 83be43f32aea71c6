// The time of each rank's GPUs in each step that a program marked (ProfilerStep#6, NVTX "iteration 12").
//
//   rank 1, step 6     |<---- begin to end of the range on the CPU ---->|
//   its GPU         kkk[gemm][ allreduce ]        [gemm][memcpy][  gemm |...   what runs later counts for the step
//   parts              | c   | exposed   | idle   | c   | memory| c     |      in which it runs
//
// Invariant: the parts and idle() add up to the recorded part of the step's time; steps of one list may overlap. A step's GPUs
// are those of its process. If the only process that marks steps has no GPU (a controller of workers, traces that keep devices
// apart), its steps have all GPUs, and a GPU counts as recorded from its first work to its last. Otherwise the GPUs are unknown.
// Cost: one sweep per GPU (gpu_sweep.h), GPUs on all threads; memory O(steps * GPUs).
#pragma once

#include <cstdint>
#include <optional>
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
  Ns outside = 0;                   ///< busy time of all these GPUs before, between and after the steps
};

/// A GPU's time from the beginning to each border of its steps, in order.
struct GpuProgress {
  std::vector<Ns> borders;
  std::vector<GpuTime> done;
};
/// By GPU. If a GPU did the `same` as before and its borders moved by the same amount, its `earlier` progress is reused.
std::vector<GpuProgress> gpu_progress(const GpuActivity& activity, std::span<const StepSource> sources, ThreadPool& pool,
                                      std::span<const SameGpu> same = {}, std::span<const GpuProgress> earlier = {});
/// By source.
std::vector<GpuSteps> gpu_steps(const GpuActivity& activity, std::span<const StepSource> sources,
                                std::span<const GpuProgress> progress);
std::vector<GpuSteps> gpu_steps(const GpuActivity& activity, std::span<const StepSource> sources, ThreadPool& pool);

/// Finds the steps of other ranks with the same number. Cost: O(steps log steps) to build, O(log steps) to query.
class StepNumbers {
 public:
  /// `sources` must outlive this object.
  explicit StepNumbers(std::span<const StepSource> sources);
  std::span<const StepSource> sources() const { return sources_; }
  /// The step of this source that has the number of the wanted one and overlaps it in time.
  std::optional<std::uint32_t> find(std::uint32_t source, const StepRange& wanted) const;

 private:
  std::span<const StepSource> sources_;
  std::vector<std::vector<std::uint32_t>> by_number_;  // by source: its steps, sorted by number and begin
};

/// One GPU in one step.
struct GpuInStep {
  std::uint32_t source = 0, step = 0, gpu = 0;
  TimeRange range;  ///< that of the step of the GPU's own rank
  GpuTime time;
  Ns recorded = 0;

  Ns idle() const { return recorded - time.busy(); }
};
/// All GPUs of all ranks that did this step together: their steps have the same number and unit, overlap it in time and belong to
/// the same recording. In the order of sources. If there are no others, only the step's own GPUs.
std::vector<GpuInStep> gpus_in_step(const StepNumbers& numbers, std::span<const GpuSteps> steps, std::uint32_t source,
                                    std::uint32_t step);

/// Means over these GPUs: each part in seconds, and which GPU had the most.
struct GpuStepMean {
  double compute = 0, overlapped = 0, exposed = 0, graph = 0, memory = 0, beside_graph = 0, idle = 0;  ///< as in GpuTime
  double length = 0;                                         ///< mean length of the steps
  double unrecorded = 0;                                     ///< mean part of `length` that was not recorded
  std::size_t longest = 0, most_exposed = 0, most_idle = 0;  ///< indices into the given list

  double computing() const { return compute + overlapped - beside_graph; }
  double graphs() const { return graph + beside_graph; }
};
GpuStepMean mean_of(std::span<const GpuInStep> gpus);

}  // namespace tv

// Finds the call that launched a kernel, copy or memset, and the delay from the call's return to the begin of the work on the
// GPU. Short delays everywhere mean that the GPU waits for the CPU; long ones mean that launches queue up and the GPU is behind.
// Invariant: a delay is never negative. Work that begins before the call returns has a delay of 0 and is also counted separately.
// Kernels of one CUDA graph all count from the graph's launch.
// For a part of a trace (GpuActivity::scope), only work that begins in this part counts.
// Cost: O(log arrows) to find a launch; O(work log work) for all of a GPU. Source: nsys report cuda_kern_exec_sum.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"

namespace tv {

/// The slice that launched a GPU's work: the origin of the first arrow that does not come from other work.
std::optional<SliceId> launch_of(const GpuActivity& activity, SliceId slice);

struct LaunchDelay {
  Ns delay = 0;
  SliceId launch{}, slice{};
};

struct GpuLaunches {
  std::vector<LaunchDelay> delays;   ///< shortest first; ties by slice id
  std::uint64_t before_return = 0;   ///< number of `delays` whose work began before the call returned
  std::uint64_t without_launch = 0;  ///< number of slices whose launch is unknown
};

/// Quantile p as numpy computes it, in nanoseconds; NaN if there are no delays.
double delay_quantile(const GpuLaunches& launches, double p);

/// By GPU.
std::vector<GpuLaunches> launch_delays(const GpuActivity& activity, ThreadPool& pool);

}  // namespace tv

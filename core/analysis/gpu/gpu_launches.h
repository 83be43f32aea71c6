// From a kernel, copy or memset back to the call that launched it, and how long it then waited: from the end of the
// call to the begin on the GPU. Short delays everywhere mean that the GPU waits for the CPU, long ones that launches
// queue up and the GPU is behind.
// Invariant: a delay is never negative. Work that begins before the call returns has none, and is counted separately. Kernels
// of one CUDA graph all count from the graph's launch.
// For a part of a trace (GpuActivity::scope) it is the work that begins in it.
// Cost: O(log arrows) to find a launch; O(work log work) for all of a GPU. Source: nsys report cuda_kern_exec_sum.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"

namespace tv {

/// The slice that the first arrow from outside of the GPU comes from.
std::optional<SliceId> launch_of(const GpuActivity& activity, SliceId slice);

struct LaunchDelay {
  Ns delay = 0;
  SliceId launch{}, slice{};
};

struct GpuLaunches {
  std::vector<LaunchDelay> delays;   ///< shortest first; of equals the one with the smaller number
  std::uint64_t before_return = 0;   ///< of count: those that began before the call returned
  std::uint64_t without_launch = 0;  ///< work whose launch is not known
};

/// As numpy computes it, in nanoseconds; NaN where nothing was launched.
double delay_quantile(const GpuLaunches& launches, double p);

/// Per GPU.
std::vector<GpuLaunches> launch_delays(const GpuActivity& activity, ThreadPool& pool);

}  // namespace tv

// Where communication runs on a GPU while nothing computes, so that a step waits for it. The marking on the timeline and tooltips
// query these stretches at any zoom. They come from the same sweep as the GPU's totals.
//
//   compute     [=========]      [====]
//   comm              [=========]
//   exposed                [====]
//
// Invariant: stretches are in order and disjoint; those of a GPU's group sum up to GpuTime::exposed. Those of a stream cover only
// its own communication; time in which several streams communicate counts for each. Cost: one sweep per GPU, GPUs on all threads;
// 48 bytes per stretch, and few stretches per communication kernel; within(): O(log n).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"
#include "core/analysis/gpu/same_gpus.h"

namespace tv {

struct ExposedSpans {
  LaneId lane{};  ///< a stream with communication, or the group of a GPU, which stands for all its streams
  std::vector<TimeRange> spans;
  std::vector<Ns> before;      ///< per stretch: total length of all stretches before it
  Ns total = 0, recorded = 0;  ///< recorded: time that was recorded on the GPU
  std::string gpu;             ///< Gpu::name

  /// Exposed time within this range.
  Ns within(TimeRange time) const;
  /// Exposed time from the beginning to `t`. If `t` rises from call to call, `hint` makes each call cheap; it is 0 at first.
  Ns until(Ns t, std::size_t& hint) const;
};

struct ExposedTime {
  std::vector<ExposedSpans> lanes;  ///< lanes with exposed time, in order

  /// Null if nothing is exposed on the lane.
  const ExposedSpans* of(LaneId lane) const;
};

/// For GPUs that did the `same` as in an earlier activity, the `earlier` stretches are reused and shifted.
ExposedTime exposed_time(const GpuActivity& activity, ThreadPool& pool, std::span<const SameGpu> same = {},
                         const ExposedTime& earlier = {});

/// A text that says how much of a communication kernel is exposed, as time and as a share of the kernel. Empty for other kernels.
std::string exposed_text(const ExposedTime& exposed, const GpuActivity& activity, SliceId slice);
/// The text for the marking along a lane, in two lines. The second gives the exposed time in this range, and in total.
std::string exposed_text(const ExposedSpans& spans, TimeRange in_view);

}  // namespace tv

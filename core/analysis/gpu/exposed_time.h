// Where communication runs on a GPU and nothing computes at the same time, so that a step waits for it. As stretches of time that
// can be asked for at any zoom, for the marking on the timeline and the text of a tooltip; from the same sweep as the
// GPU's totals.
//
//   compute     [=========]      [====]
//   comm              [=========]
//   exposed                [====]
//
// Invariant: stretches are in order and apart; those of a GPU's group sum up to GpuTime::exposed. For a stream they are
// where its own communication runs; several at once share the time. Cost: one sweep per GPU, GPUs on all threads; 48
// bytes per stretch, of which a communication kernel has few; within(): O(log n).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"
#include "core/analysis/gpu/same_gpus.h"

namespace tv {

struct ExposedSpans {
  LaneId lane{};  ///< a stream with communication, or the group of a GPU: of all its streams
  std::vector<TimeRange> spans;
  std::vector<Ns> before;      ///< per stretch: how long all before it are together
  Ns total = 0, recorded = 0;  ///< recorded: of the GPU
  std::string gpu;             ///< Gpu::name

  /// How much of this time.
  Ns within(TimeRange time) const;
  /// How much from the beginning to there. Asked for rising times, `hint` (0 at first) makes the next answer near the
  /// last one cheap.
  Ns until(Ns t, std::size_t& hint) const;
};

struct ExposedTime {
  std::vector<ExposedSpans> lanes;  ///< those that have any, in order

  /// Null: nothing is exposed there.
  const ExposedSpans* of(LaneId lane) const;
};

/// For GPUs that are the `same` as in an earlier activity, the `earlier` stretches are moved.
ExposedTime exposed_time(const GpuActivity& activity, ThreadPool& pool, std::span<const SameGpu> same = {},
                         const ExposedTime& earlier = {});

/// Says how much of a communication kernel is exposed: the time during which its GPU computes nothing, and its share of the kernel.
/// Empty for other kernels.
std::string exposed_text(const ExposedTime& exposed, const GpuActivity& activity, SliceId slice);
/// Text about the marking along a lane, in lines: how much in this time, and in all.
std::string exposed_text(const ExposedSpans& spans, TimeRange in_view);

}  // namespace tv

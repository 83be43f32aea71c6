// The gaps of a GPU and their causes. In a gap, none of the GPU's streams works; it lies between the first work and the last.
//
// The work that ends a gap was launched by a call on a CPU thread. The part of the gap before this call returned is the
// CPU's (the work was not launched yet). The rest is the queue's (the work was launched, but had not begun):
//
//   GPU      [ gemm ]                       [ gemm ]
//   gap             |<--------------------->|
//   CPU         ... aten::to ...  [launch]
//                   |<-- the CPU's ------>|-| the queue's
//
//   after_sync   most of the gap is the CPU's, and at its begin the launching thread was in a call that waits for the
//                GPU: the queue had run empty, and the CPU was slow to refill it
//   late_launch  most of the gap is the CPU's: host-bound; `doing` is the slice that the thread was in
//   queued       most of the gap is the queue's: the stream waited for an event, another GPU or the host, or
//                launching is slow
//   unknown      no arrow leads from a launch to the work: graphs, traces of the GPU alone, launches before the capture
//
// For a part of a trace (GpuActivity::scope), gaps are clipped to that part, and the causes are those of the clipped gaps.
//
// CPU and GPU times are compared as recorded; the profiler aligns them to within a few microseconds.
// Cost: one sweep per GPU; O(rows of the thread * log n) per gap. Memory: the 10,000 longest gaps of each GPU.
// Source: nsys recipe gpu_gaps, which names no causes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"

namespace tv {

enum class GapCause : std::uint8_t { after_sync, late_launch, queued, unknown, kCount };
inline constexpr std::size_t kGapCauses = static_cast<std::size_t>(GapCause::kCount);
std::string_view name(GapCause cause);     ///< "late_launch"
std::string_view meaning(GapCause cause);  ///< "late launch"

struct GpuGap {
  std::uint32_t gpu = 0;
  TimeRange time;
  SliceId before{}, after{};  ///< the work that ended at its begin (of several, on the last row) and began at its end (first row)
  GapCause cause = GapCause::unknown;
  SliceId launch = kNone<SliceId>;  ///< the call that launched `after`
  SliceId sync = kNone<SliceId>;    ///< after_sync: the call that waited
  Ns of_cpu = 0;                    ///< from the gap's begin to the launch's return
  /// The shortest slice of the launching thread that covers at least half of `of_cpu`; none if no slice does.
  SliceId doing = kNone<SliceId>;
  Ns doing_time = 0;  ///< how much of `of_cpu` this slice covers
};

struct GapSums {
  std::uint64_t count = 0;                ///< number of gaps that are long enough, listed or not
  Ns total = 0;                           ///< their time
  std::array<Ns, kGapCauses> by_cause{};  ///< time of the listed gaps
  Ns unlisted = 0;                        ///< idle time outside the listed gaps
};

struct GpuGaps {
  std::vector<GpuGap> gaps;   ///< longest first, then by GPU and time
  std::vector<GapSums> sums;  ///< per GPU
};

inline constexpr Ns kUsualGap = 500 * kMicrosecond;

/// The gaps of at least this length.
GpuGaps find_gaps(const GpuActivity& activity, Ns least, ThreadPool& pool);

/// The longest gap of all GPUs, or of some of them: the one that find_gaps() would list first. None if there are no gaps. Cost:
/// that of explaining one gap.
std::optional<GpuGap> longest_gap(const GpuActivity& activity);
std::optional<GpuGap> longest_gap(const GpuActivity& activity, std::span<const Gpu* const> gpus);

/// Finds out why the work after a gap did not begin earlier: sets the members that follow `after`. The others must be set.
void explain_gap(const GpuActivity& activity, GpuGap& gap);

}  // namespace tv

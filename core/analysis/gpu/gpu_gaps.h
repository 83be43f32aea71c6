// Gaps between a GPU's first work and its last in which none of its streams does anything, and their causes.
//
// The work that ends a gap was launched by a call on a CPU thread. The part of the gap before that call returned is the
// CPU's (the work was not launched yet), the rest the queue's (it was launched, but did not begin):
//
//   GPU      [ gemm ]                       [ gemm ]
//   gap             |<--------------------->|
//   CPU         ... aten::to ...  [launch]
//                   |<-- the CPU's ------>|-| the queue's
//
//   after_sync   most of it is the CPU's, and when it began the launching thread was in a call that waits for the
//                GPU: the queue was empty then, and the CPU was slow to refill it
//   late_launch  most of it is the CPU's: host-bound; `doing` is the slice that the thread was in
//   queued       most of it is the queue's: its stream waited for an event, another GPU or the host, or launching is
//                slow
//   unknown      no arrow leads to the work from a launch: graphs, traces of the GPU alone, launches before the capture
//
// For a part of a trace (GpuActivity::scope) gaps are clipped to it, and the causes are those of the remaining parts.
//
// CPU and GPU times are compared as recorded; the profiler aligns them to within a few microseconds.
// Cost: one sweep per GPU; O(rows of the thread * log n) per gap. Memory: 10,000 gaps per GPU, the longest.
// Source: nsys recipe gpu_gaps, which names no cause.
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
  SliceId before{}, after{};  ///< the work that ended and began there; of several, that on the last and on the first row
  GapCause cause = GapCause::unknown;
  SliceId launch = kNone<SliceId>;  ///< the call that launched `after`
  SliceId sync = kNone<SliceId>;    ///< after_sync: the call that waited
  Ns of_cpu = 0;                    ///< from the gap's begin to the launch's return
  /// The shortest slice of the launching thread that covers at least half of of_cpu; none: no slice does.
  SliceId doing = kNone<SliceId>;
  Ns doing_time = 0;  ///< how much of of_cpu it covers
};

struct GapSums {
  std::uint64_t count = 0;                ///< number of gaps that are long enough
  Ns total = 0;                           ///< their time
  std::array<Ns, kGapCauses> by_cause{};  ///< of the listed gaps
  Ns rest = 0;                            ///< idle time that is not listed; added to by_cause it gives the GPU's whole idle time
};

struct GpuGaps {
  std::vector<GpuGap> gaps;   ///< longest first, then by GPU and time
  std::vector<GapSums> sums;  ///< per GPU
};

inline constexpr Ns kUsualGap = 500 * kMicrosecond;

/// The gaps of at least this length.
GpuGaps find_gaps(const GpuActivity& activity, Ns least, ThreadPool& pool);

/// The gap that find_gaps() would list first, over some of the GPUs or all. None if there are no gaps. Cost: that of explaining
/// one gap.
std::optional<GpuGap> longest_gap(const GpuActivity& activity);
std::optional<GpuGap> longest_gap(const GpuActivity& activity, std::span<const Gpu* const> gpus);

/// Why work on a GPU did not begin earlier: fills in the members that follow `after`, in a gap whose time and ends are set.
void explain_gap(const GpuActivity& activity, GpuGap& gap);

}  // namespace tv

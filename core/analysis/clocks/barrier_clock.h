// Whether the clocks of a rollout's workers agree. All workers leave a step's barrier together, so their barrier_wait_duration
// lines end at the same moment. If their stamps differ, the difference is the offset of the hosts' clocks plus jitter.
//
// A step's reference is the median of its workers' barrier ends. A worker's offset is the median, over its steps, of the
// difference to the reference. The two are computed alternately until nothing changes (median polish). So neither steps in which
// workers are missing nor a single outlying step or worker distorts the other offsets. Offsets are then given relative to the
// worker with the median offset (of two, the first in the list): if most clocks agree, most offsets are 0.
//
// The residual is the distance that remains after the offset is applied: from a worker's barrier end to the median of the other
// workers' ends. With two workers this is their whole difference. An offset is proposed only if it is above 1 ms and above three
// times the median residual. If offsets are already applied, the proposal is added to them. Not detected: clocks that drift
// within a run (the residual grows), and a barrier that releases workers one by one. An offset belongs to a file: runs appended
// to the same files are treated as one, under the name of the first.
// Unit: nanoseconds, offsets to the microsecond, as the log's stamps are. Cost: O(phases + steps x workers x log workers).
// Source: verl's rollout logs (local time, barrier_wait_duration); Tukey's median polish.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/store/clock/clock_offset.h"

namespace tv {

inline constexpr Ns kLeastClockOffset = kMillisecond;
inline constexpr std::uint32_t kLeastBarrierSteps = 2;  ///< a single step leaves no residual

/// The clock of a worker in one run.
struct BarrierClock {
  std::string run;
  std::int32_t worker = 0;  ///< its number
  std::vector<std::uint32_t> sources;  ///< its files, in Trace::sources
  Ns applied = 0;           ///< offset already applied to its first file
  bool mixed = false;       ///< its files have different applied offsets
  std::string why;          ///< why no offset was found; empty if one was found
  Ns offset = 0;            ///< the offset to add, if one was found
  Ns before = 0;            ///< median distance to the others, without `offset`
  Ns residual = 0, residual_p90 = 0;  ///< median and 90 % quantile of this distance, with `offset`
  std::uint32_t steps = 0;  ///< steps in which this worker and another one have a barrier line
  bool proposed = false;

  bool has_offset() const { return why.empty(); }
};

struct BarrierClocks {
  std::vector<BarrierClock> workers;  ///< by run, worker
  std::uint32_t steps = 0;            ///< steps that were compared
  Ns before_p90 = 0, residual_p90 = 0;  ///< over all workers and steps

  std::size_t proposed() const;
  std::size_t applied() const;  ///< workers with an applied offset
};

BarrierClocks barrier_clocks(const Rollout& rollout);

/// One or two sentences: whether the clocks agree, and how closely.
std::string verdict(const BarrierClocks& clocks);

/// The remark on a clock: "differs" if an offset is proposed, "not distinguishable from 0" if the offset is above 1 ms but too
/// uncertain, or the reason why none was found. Else empty.
std::string remark(const BarrierClock& clock);

/// `now` with the proposed offsets added. Offsets of other files stay.
ClockOffsets aligned(const Trace& trace, const BarrierClocks& clocks, const ClockOffsets& now);
/// `now` with the offset that the user set for one worker's files.
ClockOffsets with_clock(const Trace& trace, const BarrierClock& worker, Ns offset, const ClockOffsets& now);

}  // namespace tv

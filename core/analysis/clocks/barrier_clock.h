// Do the clocks of a rollout's workers agree? All workers leave a step's barrier together, so their barrier_wait_duration lines
// end at the same moment; the remaining difference between their stamps is the offset of their hosts' clocks, plus jitter.
//
// A step's reference is the median of its workers' barrier ends. A worker's offset is the median over its steps of the difference
// to the reference. Both are computed in turn until nothing changes (median polish), so that steps in which workers are missing
// do not pull the others. One step, or one worker, that is off does not matter. Offsets are then relative to the worker in the
// middle, or to the first of the middle two in the list: if most clocks agree, most offsets are 0.
//
// The residual is what remains after the offset is applied: the distance of a worker's barrier ends to the median of the others'.
// For two workers it is their whole difference. An offset is proposed only if it differs clearly from 0: above 1 ms and above
// three times the median residual. If offsets are already applied, the proposal is to be added to them. Not seen: clocks that
// drift within a run (the residual grows), and a barrier that itself lets workers go one by one. An offset belongs to a file:
// runs appended to the same files are treated as one, under the name of the first.
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
inline constexpr std::uint32_t kLeastBarrierSteps = 2;  ///< one step leaves no residual to judge by

/// The clock of a worker in one run.
struct BarrierClock {
  std::string run;
  std::int32_t worker = 0;  ///< its number
  std::vector<std::uint32_t> sources;  ///< its files, in Trace::sources
  Ns applied = 0;           ///< offset already applied to its first file
  bool mixed = false;       ///< other files have a different applied offset
  std::string why;          ///< why no offset can be found; empty: one was found
  Ns offset = 0;            ///< the offset to add, if one was found
  Ns before = 0;            ///< median distance to the others as it is now
  Ns residual = 0, residual_p90 = 0;  ///< the same with the offset
  std::uint32_t steps = 0;  ///< steps with a barrier line of this worker and of another one
  bool proposed = false;

  bool told() const { return why.empty(); }
};

struct BarrierClocks {
  std::vector<BarrierClock> workers;  ///< by run, worker
  std::uint32_t steps = 0;            ///< steps that were compared
  Ns before_p90 = 0, residual_p90 = 0;  ///< over all workers and steps

  std::size_t proposed() const;
  std::size_t applied() const;  ///< workers whose clock is moved
};

BarrierClocks barrier_clocks(const Rollout& rollout);

/// One or two sentences: whether the clocks agree, and how closely.
std::string verdict(const BarrierClocks& clocks);

/// The remark on a clock: "differs" if an offset is proposed, "cannot be told from 0" if it is above 1 ms but too uncertain, or
/// why none was found; else empty.
std::string remark(const BarrierClock& clock);

/// `now` with the proposed offsets added. Offsets of other files stay.
ClockOffsets aligned(const Trace& trace, const BarrierClocks& clocks, const ClockOffsets& now);
/// `now` with the clock of one worker's files set by the user.
ClockOffsets with_clock(const Trace& trace, const BarrierClock& worker, Ns offset, const ClockOffsets& now);

}  // namespace tv

// Compares the clocks of ranks. Ranks enter a collective at different times but leave it together, so the kernels of one
// collective end at the same moment on all ranks. If their recorded ends differ, the difference is the offset of the clocks, plus
// jitter.
//
// Not all records name the collective of a kernel (told_in_both.h), and streams have no names in common. So for two units,
// several pairs of streams are tried, streams of similar length first (unit_pairs.h). Candidate offsets come from the longest
// intervals between ends, which have the same length on both clocks (equal intervals vote for an offset), and from the recorded
// clocks. A candidate is judged by the distance that it leaves between the ends of kernels of one name in both streams: the mean
// of log(1 + (distance / 5 us)^2), so that outliers, or a few collectives missing in one file, do not matter. If several offsets
// fit equally well, because all intervals are the same, the one nearest to the recorded clocks is taken, and `period` says that
// there are others.
//
// Two ranks of different groups can have the same kernels at nearly the same times. Then their ends spread as much as their
// begins, while the ends of one collective lie within microseconds: unit_pairs.h decides which pairs count. The pairs with the
// least spread connect the units (a tree). Then the offset of each unit with three or more good pairs becomes the median over
// them, again and again until nothing changes, at most 16 times. Offsets are relative to the unit with the median offset. If the
// user moved units, offsets are relative to the median of those, and those are not moved here.
//
// Not detected: clocks wrong by more than kMostClockError, clocks that drift (the residual grows), ranks that leave a collective
// one by one in a fixed order (a few microseconds between hosts), and work so regular that kernels of different groups or steps
// end within microseconds of each other. With fewer than eight kernels, those of another group can fit by chance; then the offset
// can be wrong by some ten microseconds.
//
// Unit: nanoseconds. Cost: O(collectives) to find the long intervals; then some 100 us for each pair of streams that is tried,
// whatever their length: of long streams, 48 intervals vote, 88 kernels judge and 512 are compared in the end. Each unit is tried
// with 4 neighbours on each side and with units at distances of powers of two, since ranks of a group are usually that far apart.
// While units are not connected, others are tried, up to 1,024 pairs of streams.
// Source: NCCL's ring and tree kernels end within a few us on all ranks of a host (megatron_tp2: 1 - 4 us); Hough's transform for
// the votes, Geman and McClure's idea of a bounded loss, Kruskal's tree.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/store/collectives/unit_pairs.h"

namespace tv {

inline constexpr Ns kLeastCollectiveOffset = 5 * kMicrosecond;

/// A process or a file, which has one clock.
struct ClockUnit {
  std::shared_ptr<const UnitCollectives> collectives;
  bool moved_by_user = false;             ///< so it is not moved here
  std::optional<std::int64_t> rank = {};  ///< two units of one rank are two recordings of it, so they share no collective
  std::string_view path = {};             ///< of the first file; makes the choice of the reference independent of file order
};

struct CollectiveClock {
  std::uint32_t group = 0;              ///< the first of the connected units; the unit itself if it is alone
  std::uint32_t reference = 0;          ///< the unit that the offset is relative to
  Ns offset = 0;                        ///< to be added to the times of the unit
  std::uint32_t matched = 0;            ///< number of its matched collectives: of each stream, those with its best partner
  Ns residual = 0, residual_p90 = 0;    ///< distance of its ends from those of all partners: median, 90th percentile
  std::vector<std::uint32_t> partners;  ///< the units that it was compared with, ascending
  Ns period = 0;                        ///< not 0: an offset that differs by this fits as well

  /// Whether enough collectives matched to determine the offset.
  bool known() const { return matched >= kLeastCollectives; }
  /// Whether the offset differs significantly from 0: by more than 5 us, and by more than three times the error of the mean.
  bool is_significant() const;
};

/// One for each unit.
std::vector<CollectiveClock> collective_clocks(const std::vector<ClockUnit>& units, ComparedPairs& pairs);

}  // namespace tv

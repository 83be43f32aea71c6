// Compares the clocks of ranks. Ranks enter a collective at different times but leave it together, so the kernels of one
// collective end at the same moment on all of them. The remaining difference of their ends is the offset of the clocks, plus
// jitter.
//
// Not all records name the collective of a kernel (told_in_both.h), and streams have no common names. So for two units several
// pairs of streams are tried, those of similar length first (unit_pairs.h). Candidate offsets come from the longest intervals
// between ends, which are the same on both clocks (equal intervals vote for an offset), and from the recorded clocks. Each is
// judged by the distance that remains between the ends of both streams, kernel by kernel, among those of the same name: the mean
// of log(1 + (distance / 5 us)^2), so that outliers, or a few collectives missing in one file, do not matter. If several offsets
// fit equally well, because the intervals are all the same, the one nearest to the recorded clocks is taken, and `period` says
// that there are others.
//
// Two ranks of different groups can have the same kernels at nearly the same times. Their ends spread as much as their begins do,
// while those of one collective lie within microseconds: unit_pairs.h decides which pairs count. The tightest pairs connect the
// units (a tree); then each unit's offset is the median over all its good pairs, iterated until stable, at most 16 times. Offsets
// are relative to the middle unit. If the user moved units, they are relative to the middle one of those, and these units are
// never moved here.
//
// Not detected: clocks wrong by more than kMostClockError, clocks that drift (the residual grows), ranks that leave a collective
// one by one in a fixed order (a few microseconds between hosts), and work so regular that ranks of different groups, or other
// steps, end within microseconds of each other too. With fewer than eight kernels, those of another group can fit by chance: then
// the offset can be wrong by some ten microseconds.
//
// Unit: nanoseconds. Cost: O(collectives) to find the long intervals; then some 100 us for each pair of units that is tried and
// each pair of their streams, independent of the number of collectives: of longer streams 48 intervals vote, 88 kernels judge and
// 512 are compared in the end. Each unit is tried with 4 neighbours on each side and with those at distances of powers of two (as
// in groups of ranks). While units are not connected, others are tried, up to 1,024 pairs of streams.
// Source: NCCL's ring and tree kernels end within a few us on all ranks of a host (megatron_tp2: 1 - 4 us); Hough's
// transform for the votes, Geman and McClure's idea of a bounded loss, Kruskal's tree.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/store/collectives/unit_pairs.h"

namespace tv {

inline constexpr Ns kLeastCollectiveOffset = 5 * kMicrosecond;

/// Everything with one clock: a process, or a file.
struct ClockUnit {
  std::shared_ptr<const UnitCollectives> collectives;
  bool moved_by_user = false;  ///< moved by the user: it stays
  std::optional<std::int64_t> rank = {};  ///< two units of one rank are two recordings of it and share no collective
  std::string_view path = {};  ///< of the first file: makes the choice of the reference independent of file order
};

struct CollectiveClock {
  std::uint32_t group = 0;            ///< first of the units that it is connected with; itself if alone
  std::uint32_t reference = 0;        ///< the unit from which its offset is counted
  Ns offset = 0;                      ///< to be added to its times
  std::uint32_t matched = 0;          ///< its collectives that were found at its best partners
  Ns residual = 0, residual_p90 = 0;  ///< distance of its ends from those of all partners: median, 90th percentile
  std::vector<std::uint32_t> partners;  ///< units that it was compared with, ascending
  Ns period = 0;                        ///< not 0: an offset that differs by this fits as well

  /// There are enough collectives to determine it.
  bool known() const { return matched >= kLeastCollectives; }
  /// The offset differs from 0 significantly: above 5 us and above three times the error of the mean.
  bool told() const;
};

/// One for each unit.
std::vector<CollectiveClock> collective_clocks(const std::vector<ClockUnit>& units, ComparedPairs& pairs);

}  // namespace tv

// Do the clocks of ranks agree? Ranks enter a collective at different times but leave it together, so the kernels of
// one collective end at the same moment on all of them; what is left between their ends is the offset of the clocks,
// and jitter.
//
// No record says which kernels are one collective: streams and communicators have no common names. For two units every
// pair of streams is tried. Offsets to try come from the longest intervals between ends, which are the same on both
// clocks (equal intervals vote for an offset), and from the recorded clocks. Each is judged by how far the ends of both
// streams then lie apart, kernel by kernel, among those of the same name: the mean of log(1 + (distance / 5 us)^2), so
// that a few collectives that one file lacks, or an outlier, do not matter. If several offsets fit equally well, because the
// intervals are all the same, the one nearest to the recorded clocks is taken, and `period` says that there are others.
//
// Two ranks of different groups can have the same kernels at nearly the same times. Their ends spread as much as their
// begins do, while those of one collective lie within microseconds: unit_pairs.h says which pairs count. The tightest
// connect the units (a tree); then each unit's offset is the median of what all its good pairs say, in turn until nothing
// changes. Offsets are counted from the unit in the middle. If the user moved units, they are counted from the middle one of
// those, and the user's units are never moved here.
//
// Not seen: clocks wrong by more than kMostClockError, clocks that drift (the residual grows), ranks that leave a
// collective one by one in a fixed order (a few microseconds between hosts), and work that is so regular that ranks of
// different groups, or other steps, end within microseconds of each other too. With fewer than eight kernels, those of
// another group can fit by chance: then the offset can be wrong by some ten microseconds.
//
// Unit: nanoseconds. Cost: O(collectives) to find the long intervals, then for each pair of units that is tried and
// each pair of their streams some 100 us, independent of the number of collectives: of longer streams 48 intervals
// vote, 88 kernels judge and 512 are compared in the end. Each unit is tried with 4 neighbours on each side and with
// those at powers of two (groups of ranks lie so), others, up to 4,096 pairs of streams, while they are not connected.
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
  bool by_hand = false;  ///< the user has moved it: it stays
  std::optional<std::int64_t> rank = {};  ///< two units of one rank are two recordings of it and have no collective in common
  std::string_view path = {};  ///< of the first file: in whatever order files come, the same one is the reference
};

struct CollectiveClock {
  std::uint32_t group = 0;            ///< first of the units that it is connected with; itself where it is alone
  std::uint32_t reference = 0;        ///< the unit from which its offset is counted
  Ns offset = 0;                      ///< to be added to its times
  std::uint32_t matched = 0;          ///< its collectives that were found at its best partners
  Ns residual = 0, residual_p90 = 0;  ///< distance of their ends from those of all partners: median, 90th percentile
  std::vector<std::uint32_t> partners;  ///< units that it was compared with, rising
  Ns period = 0;                        ///< not 0: moved by this it would fit as well

  /// There are collectives to tell it by.
  bool known() const { return matched >= kLeastCollectives; }
  /// The offset is distinguishable from 0: above 5 us and above three times the error of the mean.
  bool told() const;
};

/// One for each unit.
std::vector<CollectiveClock> collective_clocks(const std::vector<ClockUnit>& units, ComparedPairs& pairs);

}  // namespace tv

// Finds communication kernels on several GPUs that form one collective: kernels of one name on GPUs whose clocks agree
// (fit_segments.h). If records name the group and number of the collective (told_collectives.h), these decide. A collective
// can have several kernels per GPU, and its number can repeat. So the kernel that ends first takes from each other GPU the kernel
// with the nearest end, if both may have run at the same time, and then the next one does. Without such records the ends decide:
// ranks enter a collective at different times but leave it together, so its kernels end within microseconds of each other.
//
//   rank 0, stream 20   [ allreduce ]      [ allreduce ]          ends that coincide, in both orders
//   rank 1, stream 20        [ allre ]         [ allreduc ]
//   rank 2, stream 20      [ allreduce  ]  [ allreduce     ]      another group: coincides now and then
//
// A line is the kernels of one name on one stream. First, lines that belong together are found: some kernels of each line are
// compared with the nearest ends on the other line. The tolerance follows from the distances to the line's nearest partner and
// from the clocks' residuals. Two lines belong together if three conditions hold. The share of ends that coincide is at least
// half of each line's best share. It is nearly 1, or clearly larger than after shifting one line. And the ends coincide about as
// closely as with the nearest partner. Then the line with the most kernels takes from each partner the kernels that end with its
// own, in order, each kernel once; the other lines do the same with the rest. The kernels left over are matched again, since a line
// can carry several groups: a group with fewer collectives is found only once the kernels of the others are gone.
//
// Not detected: different groups whose ranks work so evenly that they leave within microseconds of each other. They are taken for
// one collective. The time of its last arrival is then right to within microseconds, but the rank that came last may be wrong.
//
// Unit: nanoseconds of the view. Cost: O(kernels log kernels), and some hundred bisections for each pair of lines of one name;
// with few kernels, thousands of lines cost the most.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace tv {

struct CommKernel {
  Ns begin = 0, end = 0;
  SliceId slice{};
  std::uint64_t named_collective = 0;  ///< the one that the record names, or 0. Only kernels with equal values can match
};

struct CommLine {
  std::uint32_t name = 0;   ///< equal for equal kernels
  std::uint32_t gpu = 0;    ///< kernels of one GPU are never one collective
  std::uint32_t clock = 0;  ///< only lines with equal clocks are compared
  Ns residual = 0;          ///< error of its clock: 90 % of the ends of one collective lie within it
  std::vector<CommKernel> kernels;  ///< by end
};

struct MatchedKernel {
  std::uint32_t line = 0, kernel = 0;  ///< index into CommLine::kernels
  bool operator==(const MatchedKernel&) const = default;
};
/// The two or more kernels of one collective. Each kernel is in at most one collective.
using MatchedKernels = std::vector<MatchedKernel>;

/// Sorted by the end of their first members.
std::vector<MatchedKernels> match_collectives(const std::vector<CommLine>& lines);

}  // namespace tv

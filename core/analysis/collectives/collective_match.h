// Finds communication kernels on several GPUs that form one collective: kernels of one name on GPUs whose clocks agree
// (fit_segments.h). If records name the group and the number of the collective (told_collectives.h), those decide. A collective
// can have several kernels, and its number can repeat. So the kernel that ends first takes from each other GPU the kernel with
// the nearest end, if both run at the same time. Without such records the ends decide: ranks enter a collective at different
// times but leave it together, and its kernels end within microseconds of each other.
//
//   rank 0, stream 20   [ allreduce ]      [ allreduce ]          ends that coincide, in both orders
//   rank 1, stream 20        [ allre ]         [ allreduc ]
//   rank 2, stream 20      [ allreduce  ]  [ allreduce     ]      another group: coincides now and then
//
// A line is the kernels of one name on one stream. Lines that belong together are found first: for two lines, some kernels are
// compared with the nearest end on the other line. The tolerance follows from the line's nearest partner and the clocks'
// residuals. A pair counts if the share of ends that coincide is at least half that of either line's best pair and clearly larger
// than with one line shifted, and if they coincide about as closely as with the nearest partner. Then the longest line takes from
// each partner the kernel that ends with its own, in order, each kernel once; the other lines do the same with the rest. The
// kernels left over are matched again, since a line can carry several groups: a group with fewer collectives is found once the
// others' kernels are gone.
//
// Not seen: different groups whose ranks work so evenly that they leave within microseconds of each other. They are taken for one
// collective. Its last arrival is then right to within microseconds, but the rank that came last may be wrong.
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
  std::uint64_t told = 0;  ///< the collective that the record names; 0: none. Only kernels with equal values can match
};

struct CommLine {
  std::uint32_t name = 0;   ///< equal for equal kernels
  std::uint32_t gpu = 0;    ///< kernels of one GPU are never one collective
  std::uint32_t clock = 0;  ///< only lines with equal clocks are compared
  Ns residual = 0;          ///< error of its clock: nine in ten ends of one collective lie within it
  std::vector<CommKernel> kernels;  ///< by end
};

struct MatchedKernel {
  std::uint32_t line = 0, kernel = 0;  ///< index into CommLine::kernels
  bool operator==(const MatchedKernel&) const = default;
};
/// Two kernels or more; each kernel is in at most one set.
using MatchedKernels = std::vector<MatchedKernel>;

/// By the end of their first members.
std::vector<MatchedKernels> match_collectives(const std::vector<CommLine>& lines);

}  // namespace tv

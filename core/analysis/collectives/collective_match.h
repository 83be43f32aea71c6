// Finds communication kernels on several GPUs that form one collective: kernels of one name on GPUs whose clocks agree
// (fit_clocks.h). Where records name the group and the number of the collective (told_collectives.h), those decide. A collective
// can have several kernels, and its number can repeat. So from each GPU we take the kernel with the nearest end that runs at the
// same time. Without such records the ends decide: ranks enter a collective at different times but leave it together, and its
// kernels end within microseconds of each other.
//
//   rank 0, stream 20   [ allreduce ]      [ allreduce ]          ends that coincide, in both orders
//   rank 1, stream 20        [ allre ]         [ allreduc ]
//   rank 2, stream 20      [ allreduce  ]  [ allreduce     ]      another group: coincides now and then
//
// A line is what one stream has of one name. Lines that belong together are found first: of two lines some kernels are
// asked how far the nearest end of the other lies away. How near "together" is comes from the nearest of all lines and
// from what the clocks leave; a pair counts when about as large a part of both coincides as with the best of their
// others, and clearly more than when one is moved aside. Then the longest line takes from each of its partners what ends
// with it, in order, each kernel once; so do the others with what is left. What is left of all is asked again, since a
// line can carry several groups: the one with fewer collectives is seen when those of the other are gone.
//
// Not seen: groups whose ranks work so evenly that they leave within microseconds of each other by themselves. They are
// taken for one collective, whose last arrival is then right to those microseconds, but not who it was.
//
// Unit: nanoseconds of the view. Cost: O(kernels log kernels), and for each pair of lines of one name 48 bisections;
// beside few kernels thousands of lines are the most of it.
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
  std::uint32_t clock = 0;  ///< only lines with equal ones are compared
  Ns residual = 0;          ///< what ends of one collective differ by because of its clock: nine in ten are below
  std::vector<CommKernel> kernels;  ///< by end
};

struct MatchedKernel {
  std::uint32_t line = 0, kernel = 0;  ///< index into CommLine::kernels
  bool operator==(const MatchedKernel&) const = default;
};
/// Two kernels or more; each kernel is in one at most.
using MatchedKernels = std::vector<MatchedKernel>;

/// By the end of their first members.
std::vector<MatchedKernels> match_collectives(const std::vector<CommLine>& lines);

}  // namespace tv

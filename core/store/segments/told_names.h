// What is told of the collectives of a trace, by slice: of a segment, or of a view the segments' (told_collectives.h). Times are not
// touched by it: kernels are found again by their lane and their times in the segment.
// Cost: O(told kernels log) to make, O(log) to ask.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

class ToldNames {
 public:
  explicit ToldNames(const Trace& trace);

  bool any() const { return any_; }
  /// CollectiveKernel::name of each slice of a row, where that tells more than the kernel; 0 where nothing is told. Empty: of none.
  std::vector<std::uint64_t> of(const Row& row) const;

 private:
  struct Kernel {
    Ns begin, end;
    std::uint64_t name;
    auto time() const { return std::pair(begin, end); }
  };
  const Trace& trace_;
  std::map<std::pair<const Trace*, LaneId>, std::vector<Kernel>> of_lane_;  // of a segment, by time
  bool any_ = false;
};

}  // namespace tv

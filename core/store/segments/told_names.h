// What records say about the collectives of a trace, by slice. In a view, it comes from its segments (told_collectives.h). A view
// may shift times, so kernels are found by their lane and their times in the segment.
// Cost: O(n log n) for n kernels with such records to build, O(log n) per query.
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
  /// CollectiveKernel::name of each slice of a row, if the record adds to the kernel's name; else 0. Empty: no slice of the row has
  /// one.
  std::vector<std::uint64_t> of(const Row& row) const;

 private:
  struct Kernel {
    Ns begin, end;
    std::uint64_t name;
    auto time() const { return std::pair(begin, end); }
  };
  const Trace& trace_;
  std::map<std::pair<const Trace*, LaneId>, std::vector<Kernel>> of_lane_;  // for each lane of a segment, sorted by time
  bool any_ = false;
};

}  // namespace tv

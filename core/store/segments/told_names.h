// Which collective a slice belongs to, if its record says so (told_collectives.h). A view takes this from its segments,
// whose times it may shift, so kernels are looked up by lane and time within their segment.
// Cost: O(n log n) to build for n kernels with such records, O(log n) per slice.
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
  /// CollectiveKernel::name of each slice of a row; 0 if its record names no group or collective. Empty: all are 0.
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

// Finds the collective that a slice belongs to, if its record says so (told_collectives.h). Slices do not store this, so kernels
// are looked up in Trace::collectives of their segment, by lane and time.
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
  /// By slice of a row: CollectiveKernel::name, or 0 if the record identifies no group or collective. Empty: all are 0.
  std::vector<std::uint64_t> of(const Row& row) const;

 private:
  struct Kernel {
    Ns begin, end;
    std::uint64_t name;
    auto time() const { return std::pair(begin, end); }
  };
  const Trace& trace_;
  std::map<std::pair<const Trace*, LaneId>, std::vector<Kernel>> of_lane_;  // by segment and its lane; kernels are sorted by time
  bool any_ = false;
};

}  // namespace tv

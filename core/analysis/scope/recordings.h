// Finds the time between the recordings of a process, about which nothing is known. A profiler that records a part of each step
// writes several files (process_lanes.h). A GPU without work between two of these was not necessarily idle.
//
//   file 1  [=== == ===]
//   file 2                         [== ====]
//   GPU      === == ===.............== ====
//                      | unrecorded |
//
// A file covers the time in which it has work (work_extent.h). Cost: O(sources log sources) once; then O(rows log sources), and that of
// sorting the recordings of the rows' processes.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "core/store/trace/trace.h"

namespace tv {

class Recordings {
 public:
  /// `trace` must outlive this object.
  explicit Recordings(const Trace& trace);
  /// The parts of `within` between the recordings of these rows' processes, in order. Empty for a process with one recording.
  std::vector<TimeRange> unrecorded(std::span<const std::uint32_t> rows, TimeRange within) const;

 private:
  const Trace& trace_;
  std::map<std::string_view, std::vector<TimeRange>> of_process_;
};

}  // namespace tv

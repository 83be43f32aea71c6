#include "core/analysis/scope/recordings.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "core/analysis/scope/scope.h"

namespace tv {

Recordings::Recordings(const Trace& trace) : trace_(trace) {
  for (const SourceInfo& source : trace.sources) {
    if (!source.process.empty() && !source.work.empty()) of_process_[source.process].push_back(source.work);
  }
}

std::vector<TimeRange> Recordings::unrecorded(std::span<const std::uint32_t> rows, TimeRange within) const {
  std::set<std::string_view> processes;
  for (const std::uint32_t r : rows) {
    const Row& row = trace_.rows[r];
    if (row.count > 0) processes.insert(trace_.sources[idx(trace_.ref_of(trace_.slices_of(row).id(0)).source())].process);
  }
  std::vector<TimeRange> recorded;
  for (const std::string_view process : processes) {
    const auto known = of_process_.find(process);
    if (known != of_process_.end()) recorded.insert(recorded.end(), known->second.begin(), known->second.end());
  }
  std::ranges::sort(recorded, {}, &TimeRange::begin);
  std::vector<TimeRange> out;
  for (std::size_t r = 0, last = 0; r < recorded.size(); ++r) {
    if (recorded[last].end < recorded[r].begin) {
      const TimeRange between = clip_to({recorded[last].end, recorded[r].begin}, within);
      if (!between.empty()) out.push_back(between);
    }
    if (recorded[r].end > recorded[last].end) last = r;
  }
  return out;
}

}  // namespace tv

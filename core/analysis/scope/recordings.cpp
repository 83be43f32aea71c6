#include "core/analysis/scope/recordings.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "core/analysis/scope/scope.h"

namespace tv {

std::vector<TimeRange> unrecorded(const Trace& trace, std::span<const std::uint32_t> rows, TimeRange within) {
  std::set<std::string_view> processes;
  for (const std::uint32_t r : rows) {
    const Row& row = trace.rows[r];
    if (row.count > 0) processes.insert(trace.sources[idx(trace.ref_of(trace.slices_of(row).id(0)).source())].process);
  }
  std::vector<TimeRange> recorded;
  for (const SourceInfo& source : trace.sources) {
    if (!source.process.empty() && !source.work.empty() && processes.contains(source.process)) {
      recorded.push_back(source.work);
    }
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

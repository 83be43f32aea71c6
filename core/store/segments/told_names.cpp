#include "core/store/segments/told_names.h"

#include <algorithm>

#include "core/store/logs/told_collectives.h"

namespace tv {

ToldNames::ToldNames(const Trace& trace) : trace_(trace) {
  const auto add = [&](const Trace& segment) {
    if (!segment.collectives) return;
    for (const LaneCollectives& lane : *segment.collectives) {
      for (const auto& [name, time] : lane.kernels) {
        if (what_is_told(name) == Told::Kernel) continue;
        of_lane_[{&segment, lane.lane}].push_back({time.begin.ns, time.end.ns, name});
        any_ = true;
      }
    }
  };
  if (trace.parts.empty()) add(trace);
  for (const ViewPart& part : trace.parts) add(*part.segment);
  for (auto& [lane, kernels] : of_lane_) std::ranges::stable_sort(kernels, {}, &Kernel::time);
}

std::vector<std::uint64_t> ToldNames::of(const Row& row) const {
  std::vector<std::uint64_t> names;
  if (!any_ || row.count == 0) return names;
  const Trace* segment = &trace_;
  std::size_t before = 0;
  if (!trace_.parts.empty()) {
    const ViewPart& part = trace_.part_of(id_at<SliceId>(row.first));
    segment = part.segment.get();
    before = part.first_slice;
  }
  const auto first = id_at<SliceId>(row.first - before);
  const auto known = of_lane_.find({segment, segment->row(segment->row_of(first)).lane});
  if (known == of_lane_.end()) return names;
  names.resize(row.count, 0);
  for (std::size_t i = 0; i < row.count; ++i) {
    const auto slice = id_at<SliceId>(idx(first) + i);
    const auto kernel = std::ranges::lower_bound(known->second, std::pair(segment->begin_of(slice), segment->end_of(slice)), {},
                                                 &Kernel::time);
    const bool found = kernel != known->second.end() && kernel->begin == segment->begin_of(slice) &&
                       kernel->end == segment->end_of(slice);
    if (found) names[i] = kernel->name;
  }
  return names;
}

}  // namespace tv

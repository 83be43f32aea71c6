#include "core/analysis/rollout/known_requests.h"

#include <algorithm>

#include "core/store/segments/view_logs.h"

namespace tv {
namespace {

// A trace without parts is a single segment.
std::uint64_t first_slice_of(const Trace& view, std::size_t part) { return view.parts.empty() ? 0 : view.parts[part].first_slice; }

}  // namespace

KnownRequests known_requests(const Trace& trace, const Rollout* earlier) {
  if (!earlier || earlier->steps.empty()) return {};
  KnownRequests known;
  known.parts = same_log_parts(trace, *earlier->trace);
  if (known.parts == 0) return {};
  const RolloutLogEnd end = trace.parts.empty() ? trace.rollout.end() : trace.parts[known.parts - 1].log_end;
  known.files = static_cast<std::uint32_t>(end.files);
  known.rows = static_cast<std::uint32_t>(end.requests);
  known.phases = static_cast<std::uint32_t>(end.phases);
  const auto& parts = earlier->worker_steps;
  const auto is_known = [&](const WorkerStep& part) { return part.file < known.files; };
  const auto first_new = std::ranges::find_if_not(parts, is_known);
  if (first_new == parts.begin() || std::any_of(first_new, parts.end(), is_known)) return {};
  known.worker_steps = static_cast<std::uint32_t>(first_new - parts.begin());
  known.requests = first_new[-1].end;
  const SliceId after = first_unknown(*earlier->trace, known);
  known.slices = static_cast<std::size_t>(std::ranges::lower_bound(earlier->by_slice, after, {}, [](const auto& entry) { return entry.first; }) -
                                          earlier->by_slice.begin());
  return known;
}

SliceId first_unknown(const Trace& trace, const KnownRequests& known) {
  if (known.parts == 0) return id_at<SliceId>(0);
  return known.parts < trace.parts.size() ? id_at<SliceId>(trace.parts[known.parts].first_slice) : id_at<SliceId>(trace.items());
}

bool slices_stay(const Trace& trace, const Trace& earlier, const KnownRequests& known) {
  if (&trace == &earlier) return true;
  for (std::size_t p = 0; p < known.parts; ++p) {
    if (!trace.parts[p].segment->rollout.empty() && first_slice_of(trace, p) != first_slice_of(earlier, p)) return false;
  }
  return true;
}

SliceId slice_now(const Trace& trace, const Trace& earlier, SliceId was) {
  const std::size_t p = earlier.parts.empty() ? 0 : static_cast<std::size_t>(&earlier.part_of(was) - earlier.parts.data());
  return id_at<SliceId>(idx(was) - first_slice_of(earlier, p) + first_slice_of(trace, p));
}

}  // namespace tv

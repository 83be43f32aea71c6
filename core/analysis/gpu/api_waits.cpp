#include "core/analysis/gpu/api_waits.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "core/query/lane_set.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

// The work in a row that ended last, at or before t.
SliceId last_ended(const GpuActivity& activity, const RowSlices& row, Ns t) {
  std::size_t low = 0, high = row.size();  // `low` becomes the first slice that ends after t; ends are sorted
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (row.end(middle) <= t) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const RowWork work(activity.work, *activity.trace, row);
  while (low > 0 && (work.of(row, low - 1) == DeviceWork::None || work.never_ended(row, low - 1))) --low;
  return low > 0 ? row.id(low - 1) : kNone<SliceId>;
}

ApiWait wait_of(const GpuActivity& activity, LaneId process, SliceId call) {
  const Trace& trace = *activity.trace;
  const Ns begin = trace.begin_of(call), returned = trace.end_of(call);
  ApiWait wait;
  wait.call = call;
  Ns latest = begin;  // only work that ended after the call began
  for (const Gpu& gpu : activity.gpus) {
    if (gpu.process != process) continue;
    for (const std::uint32_t r : gpu.rows) {
      const SliceId slice = last_ended(activity, trace.slices_of(trace.rows[r]), returned);
      if (slice == kNone<SliceId>) continue;
      const Ns end = trace.end_of(slice);
      if (end <= latest) continue;
      latest = end;
      wait.waited_for = slice;
      wait.after = returned - end;
    }
  }
  return wait;
}

}  // namespace

ApiWaits api_waits(const GpuActivity& activity) {
  const Trace& trace = *activity.trace;
  const std::vector<bool> sync = labels_of(trace, WorkKind::sync);
  ApiWaits out;
  if (std::ranges::find(sync, true) == sync.end()) return out;
  std::map<std::pair<LabelId, LaneId>, ApiWaitSum> sums;
  const GpuActivity& all = activity.whole ? *activity.whole : activity;  // a call may wait for streams outside the scope
  ScopeLanes lanes;
  if (activity.scope) lanes = lanes_of(trace, *activity.scope, lanes_with_label(trace, [&](LabelId label) { return sync[idx(label)]; }));
  out.on_lanes = lanes.lanes_count;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (activity.scope && !lanes.in[l]) continue;
    const LaneId thread = thread_group(trace, id_at<LaneId>(l)), process = outermost_group(trace, thread);
    for (const Row& row : trace.rows_of(trace.lanes[l])) {
      if (row.kind != RowKind::Slices) continue;
      const RowSlices slices = trace.slices_of(row);
      const RowPart part = activity.scope ? touching(slices, activity.scope->range) : RowPart{0, slices.size()};
      for (std::size_t i = part.first; i < part.last; ++i) {
        if (!sync[idx(slices.label(i))]) continue;
        out.waits.push_back(wait_of(all, process, slices.id(i)));
        ApiWaitSum& sum = sums[{slices.label(i), thread}];
        sum.label = slices.label(i);
        sum.thread = thread;
        if (sum.count == 0 || slices.duration(i) > sum.max) sum.longest = slices.id(i);
        sum.max = std::max(sum.max, slices.duration(i));
        sum.total += activity.counted(slices.range(i)).length();
        sum.for_work += out.waits.back().waited_for != kNone<SliceId> ? 1 : 0;
        ++sum.count;
      }
    }
  }
  std::ranges::sort(out.waits, {}, [&](const ApiWait& wait) {
    return std::tuple(-trace.duration_of(wait.call), trace.begin_of(wait.call), wait.call);
  });
  for (const auto& [key, sum] : sums) out.sums.push_back(sum);
  std::ranges::sort(out.sums, {}, [&](const ApiWaitSum& sum) {
    return std::tuple(-sum.total, trace.labels.name(sum.label), sum.label, sum.thread);
  });
  return out;
}

}  // namespace tv

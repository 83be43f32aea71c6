#include "core/analysis/gpu/gpu_launches.h"

#include <algorithm>
#include <tuple>

#include "core/analysis/statistics/summary.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

GpuLaunches delays_of(const GpuActivity& activity, const Gpu& gpu) {
  const Trace& trace = *activity.trace;
  GpuLaunches out;
  for (const std::uint32_t r : gpu.rows) {
    const RowSlices row = trace.slices_of(trace.rows[r]);
    const RowPart part = activity.scope ? touching(row, activity.scope->range) : RowPart{0, row.size()};
    for (std::size_t i = part.first; i < part.last; ++i) {
      if (activity.scope && row.begin(i) < activity.scope->range.begin) continue;
      if (!activity.is_work(row.id(i))) continue;
      const auto launch = launch_of(activity, row.id(i));
      if (!launch) {
        ++out.without_launch;
        continue;
      }
      const Ns returned = trace.end_of(*launch);
      if (row.begin(i) < returned) ++out.before_return;
      out.delays.push_back({std::max<Ns>(row.begin(i) - returned, 0), *launch, row.id(i)});
    }
  }
  std::ranges::sort(out.delays, {}, [](const LaunchDelay& d) { return std::tuple(d.delay, idx(d.slice)); });
  return out;
}

}  // namespace

std::optional<SliceId> launch_of(const GpuActivity& activity, SliceId slice) {
  std::optional<SliceId> launch;
  activity.trace->flows.entering(slice, [&](std::size_t, const Flow& flow) {
    if (!launch && !activity.is_work(flow.from)) launch = flow.from;
  });
  return launch;
}

double delay_quantile(const GpuLaunches& launches, double p) {
  std::vector<double> delays;
  for (const LaunchDelay& one : launches.delays) delays.push_back(static_cast<double>(one.delay));
  return quantile(delays, p);
}

std::vector<GpuLaunches> launch_delays(const GpuActivity& activity, ThreadPool& pool) {
  std::vector<GpuLaunches> out(activity.gpus.size());
  pool.parallel_for(out.size(), [&](std::size_t g) { out[g] = delays_of(activity, activity.gpus[g]); });
  return out;
}

}  // namespace tv

#include "core/analysis/collectives.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/analysis/gpu_sweep.h"

namespace tv {
namespace {

std::vector<CollectiveSum> collectives_of(const GpuActivity& activity, std::uint32_t g) {
  const Trace& trace = *activity.trace;
  const Gpu& gpu = activity.gpus[g];
  std::map<LabelId, CollectiveSum> sums;
  std::vector<Ns> computed_before(gpu.rows.size());  // per row: when its kernel began
  Ns computed = 0;
  const auto look = [&](const GpuEvent& event) {
    if (event.running.runs(DeviceWork::Compute)) computed += activity.counted(event.since).length();
    if (event.work != DeviceWork::Communication) return;
    if (event.begins) {
      computed_before[event.row] = computed;
      return;
    }
    const LabelId label = trace.slices.label[idx(event.slice)];
    const Ns begin = trace.slices.begin[idx(event.slice)], duration = trace.slices.duration[idx(event.slice)];
    const Ns counted = activity.counted({begin, begin + duration}).length();
    if (counted == 0) return;
    CollectiveSum& sum = sums[label];
    const bool longest = sum.count == 0 || duration > sum.max || (duration == sum.max && event.slice < sum.longest);
    if (longest) sum.longest = event.slice;
    sum.label = label;
    sum.gpu = g;
    sum.min = sum.count == 0 ? duration : std::min(sum.min, duration);
    sum.max = std::max(sum.max, duration);
    sum.total += counted;
    sum.overlapped += computed - computed_before[event.row];
    ++sum.count;
  };
  sweep_gpu(trace, activity.work, gpu.rows, look, activity.within());
  std::vector<CollectiveSum> out;
  for (const auto& [label, sum] : sums) out.push_back(sum);
  return out;
}

}  // namespace

std::vector<CollectiveSum> collectives(const GpuActivity& activity, ThreadPool& pool) {
  std::vector<std::vector<CollectiveSum>> of_gpu(activity.gpus.size());
  pool.parallel_for(of_gpu.size(),
                    [&](std::size_t g) { of_gpu[g] = collectives_of(activity, static_cast<std::uint32_t>(g)); });
  std::vector<CollectiveSum> out;
  std::map<LabelId, Ns> totals;
  for (const std::vector<CollectiveSum>& sums : of_gpu) {
    for (const CollectiveSum& sum : sums) {
      out.push_back(sum);
      totals[sum.label] += sum.total;
    }
  }
  std::ranges::sort(out, {}, [&](const CollectiveSum& sum) {
    return std::tuple(-totals[sum.label], activity.trace->labels.name(sum.label), sum.label, sum.gpu);
  });
  return out;
}

}  // namespace tv

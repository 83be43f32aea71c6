#include "core/view/lane_order.h"

#include <fmt/format.h>

#include <limits>
#include <string>

namespace tv {

std::vector<double> worker_lane_weights(const Rollout& rollout, HeatMeasure measure, std::uint32_t step) {
  const Trace& trace = *rollout.trace;
  std::vector<double> weights(trace.lanes.size(), std::numeric_limits<double>::quiet_NaN());
  const std::vector<double> of_worker = heat_of_workers(rollout, measure, step);
  // A worker's lanes are found by its requests: they lie below the lane that has its name.
  for (const WorkerStep& file : rollout.worker_steps) {
    if (file.step != step || file.first == file.end || rollout.slice[file.first] == kNone<SliceId>) continue;
    const std::string name = fmt::format("worker {}", rollout.workers[file.worker]);
    LaneId lane = trace.row(trace.row_of(rollout.slice[file.first])).lane;
    while (lane != kNone<LaneId> && trace.lane(lane).name != name) lane = trace.lane(lane).parent;
    if (lane != kNone<LaneId>) weights[idx(lane)] = of_worker[file.worker];
  }
  return weights;
}

}  // namespace tv

#include "core/view/lanes/lane_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "core/analysis/rollout/worker_phases.h"
#include "core/analysis/scope/device_work.h"
#include "core/base/names/natural_less.h"

namespace tv {
namespace {

struct SortWords {
  std::string_view word, meaning;
};
constexpr SortWords kSorts[] = {
    {"name", "by name"},
    {"start", "what begins first"},
    {"busy", "longest busy first"},
    {"tail", "what ends last first"},
    {"wait", "who waits longest first"},
};
static_assert(std::size(kSorts) == kLaneSorts);

// Weights in the natural order of names; the first name has the greatest.
std::vector<double> by_name(const Trace& trace) {
  std::vector<std::size_t> lanes(trace.lanes.size());
  std::iota(lanes.begin(), lanes.end(), std::size_t{0});
  std::ranges::stable_sort(lanes, [&](std::size_t a, std::size_t b) { return natural_less(trace.lanes[a].name, trace.lanes[b].name); });
  std::vector<double> weights(lanes.size());
  for (std::size_t place = 0; place < lanes.size(); ++place) weights[lanes[place]] = -static_cast<double>(place);
  return weights;
}

// Labels of waiting: a barrier of a rollout, a communication kernel, a call that blocks until the device is done.
std::vector<bool> waiting_labels(const Trace& trace) {
  const std::vector<DeviceWork> work = device_work(trace, {});
  std::vector<bool> waits(trace.labels.size());
  for (std::size_t l = 0; l < waits.size(); ++l) {
    const auto label = id_at<LabelId>(l);
    const std::string_view label_name = trace.labels.name(label);
    waits[l] = work[l] == DeviceWork::Communication || label_name == kBarrierWait ||
               is_synchronising(trace.labels.category(label), label_name);
  }
  return waits;
}

// The lane of a file's requests. Skips requests without a slice, i.e. without a duration.
LaneId lane_of_requests(const Rollout& rollout, const WorkerStep& file) {
  for (RequestIx r = file.first; r < file.end; ++r) {
    const SliceId slice = rollout.slice[r];
    if (slice != kNone<SliceId>) return rollout.trace->row(rollout.trace->row_of(slice)).lane;
  }
  return kNone<LaneId>;
}

double waited_in(const Trace& trace, const Lane& lane, const std::vector<bool>& waits) {
  double sum = 0;
  for (const Row& row : trace.rows_of(lane)) {
    const RowSlices slices = trace.slices_of(row);
    for (std::size_t i = 0; i < slices.size(); ++i) {
      if (waits[idx(slices.label(i))]) sum += static_cast<double>(slices.duration(i));
    }
  }
  return sum;
}

}  // namespace

std::string_view name(LaneSort sort) { return kSorts[static_cast<std::size_t>(sort)].word; }
std::string_view meaning(LaneSort sort) { return kSorts[static_cast<std::size_t>(sort)].meaning; }

std::optional<LaneSort> lane_sort(std::string_view word) {
  const auto found = std::ranges::find(kSorts, word, &SortWords::word);
  if (found == std::end(kSorts)) return std::nullopt;
  return static_cast<LaneSort>(found - std::begin(kSorts));
}

std::vector<double> lane_weights(const Trace& trace, LaneSort sort) {
  if (sort == LaneSort::Name) return by_name(trace);
  const std::vector<bool> waits = sort == LaneSort::Wait ? waiting_labels(trace) : std::vector<bool>();
  std::vector<double> weights(trace.lanes.size(), 0);
  for (std::size_t l = weights.size(); l-- > 0;) {  // from the last, so that lanes precede the groups around them
    const Lane& lane = trace.lanes[l];
    switch (sort) {
      case LaneSort::Start: weights[l] = -static_cast<double>(lane.extent.begin); continue;
      case LaneSort::Tail: weights[l] = static_cast<double>(lane.extent.end); continue;
      case LaneSort::Busy: weights[l] += static_cast<double>(lane.busy); break;
      case LaneSort::Wait: weights[l] += waited_in(trace, lane, waits); break;
      case LaneSort::Name:
      case LaneSort::kCount: break;
    }
    if (lane.parent != kNone<LaneId>) weights[idx(lane.parent)] += weights[l];
  }
  return weights;
}

std::vector<double> worker_lane_weights(const Rollout& rollout, HeatMeasure measure, std::uint32_t step) {
  const Trace& trace = *rollout.trace;
  std::vector<double> weights(trace.lanes.size(), std::numeric_limits<double>::quiet_NaN());
  const std::vector<double> of_worker = heat_of_workers(rollout, measure, step);
  // Finds a worker's group from the lane of its requests, which is inside it.
  for (const WorkerStep& file : rollout.worker_steps) {
    if (file.step != step) continue;
    LaneId lane = lane_of_requests(rollout, file);
    while (lane != kNone<LaneId> && trace.lane(lane).owner.worker != rollout.workers[file.worker]) lane = trace.lane(lane).parent;
    if (lane != kNone<LaneId>) weights[idx(lane)] = of_worker[file.worker];
  }
  return weights;
}

}  // namespace tv

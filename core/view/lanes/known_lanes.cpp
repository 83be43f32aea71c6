#include "core/view/lanes/known_lanes.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/store/draft/work_rules.h"

namespace tv {
namespace {

constexpr double kIdleShare = 0.01;  // of the busiest of its kind and process: less is near to nothing

// Arrows into streams say which threads launch. Of many only some are looked at: which threads launch is all that is asked.
void count_launches(const Trace& trace, std::vector<KnownLane>& lanes) {
  const std::size_t step = trace.flows.size() / kLookedAtArrows + 1;
  for (std::size_t f = 0; f < trace.flows.size(); f += step) {
    const LaneId to = trace.row(trace.row_of(trace.flows[f].to)).lane;
    if (trace.lane(to).kind != LaneKind::Stream) continue;
    lanes[idx(trace.row(trace.row_of(trace.flows[f].from)).lane)].launches += 1;
  }
}

// Of a stream only some slices are looked at: communication mostly has a stream of its own.
void find_communication(const Trace& trace, std::vector<KnownLane>& lanes) {
  std::unordered_map<std::uint32_t, bool> known;  // by label
  const auto is_communication = [&](LabelId label) {
    const auto [found, is_new] = known.try_emplace(static_cast<std::uint32_t>(idx(label)), false);
    if (is_new) {
      const DeviceWork work = device_work(trace.labels.category(label), trace.labels.name(label), {}, true);
      found->second = work == DeviceWork::Communication;
    }
    return found->second;
  };
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    const Lane& lane = trace.lanes[l];
    if (lane.kind != LaneKind::Stream) continue;
    const std::size_t step = lane.slices / kLookedAtSlices + 1;
    for (const Row& row : trace.rows_of(lane)) {
      if (row.kind != RowKind::Slices || lanes[l].communicates) continue;
      const RowSlices slices = trace.slices_of(row);
      for (std::size_t i = 0; i < slices.size() && !lanes[l].communicates; i += step)
        lanes[l].communicates = is_communication(slices.label(i));
    }
  }
}

Tells telling_of(const Lane& lane) {
  if (lane.slices == 0) return lane.counter != UINT32_MAX ? Tells::Other : Tells::Instants;
  switch (lane.kind) {
    case LaneKind::Annotation:
      return lane.depth <= 1 ? Tells::Steps : Tells::Ranges;
    case LaneKind::Stream:
      return Tells::Stream;
    case LaneKind::Phases:
      return Tells::Phases;
    case LaneKind::Requests:
      return Tells::Requests;
    case LaneKind::Thread:
      return Tells::Thread;
    default:
      return Tells::Other;
  }
}

}  // namespace

std::vector<KnownLane> known_lanes(const Trace& trace) {
  std::vector<KnownLane> lanes(trace.lanes.size());
  std::map<std::pair<std::size_t, LaneKind>, Ns> busiest;
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    const Lane& lane = trace.lanes[l];
    lanes[l].group = !holds_anything(lane);
    lanes[l].telling = telling_of(lane);
    lanes[l].root = lane.parent == kNone<LaneId> ? l : lanes[idx(lane.parent)].root;
    Ns& most = busiest[{lanes[l].root, lane.kind}];
    most = std::max(most, lane.busy);
  }
  count_launches(trace, lanes);
  find_communication(trace, lanes);
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    const Lane& lane = trace.lanes[l];
    Tells& telling = lanes[l].telling;
    if (telling == Tells::Thread && lanes[l].launches > 0) telling = Tells::Launching;
    const bool may_idle = telling == Tells::Thread || telling == Tells::Stream;
    const auto most = static_cast<double>(busiest[{lanes[l].root, lane.kind}]);
    // Threads that stood in the same frames all the time have a slice per row.
    const bool stood = telling == Tells::Thread && lane.slices <= lane.row_count;
    if (may_idle && !lanes[l].communicates && (stood || static_cast<double>(lane.busy) < kIdleShare * most)) telling = Tells::Idle;
  }
  return lanes;
}

bool tells_order(const std::vector<KnownLane>& lanes) {
  return std::ranges::any_of(lanes, [](const KnownLane& lane) {
    return !lane.group && (lane.telling == Tells::Stream || lane.telling == Tells::Phases);
  });
}

}  // namespace tv

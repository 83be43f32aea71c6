#include "core/view/lanes/known_lanes.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/store/rules/work_rules.h"

namespace tv {
namespace {

constexpr double kIdleShare = 0.01;  // of the busiest lane of its kind and process; below it, a lane counts as idle

// Arrows to streams show which threads launch work. A sample of the arrows is enough.
void count_launches(const Trace& trace, std::vector<KnownLane>& lanes) {
  const std::size_t step = trace.flows.size() / kLookedAtArrows + 1;
  for (std::size_t f = 0; f < trace.flows.size(); f += step) {
    const LaneId to = trace.row(trace.row_of(trace.flows[f].to)).lane;
    if (trace.lane(to).kind != LaneKind::Stream) continue;
    lanes[idx(trace.row(trace.row_of(trace.flows[f].from)).lane)].launches += 1;
  }
}

// Whether the label of a long slice of the row matches. The nodes of a pyramid level have such labels; a row without a pyramid is
// short, so all its slices are read.
template <class Takes>
bool any_of_row(const IndexedRow& row, Takes takes) {
  int level = row.pyramid.levels();
  if (level == 0) return row.slices.any_label(takes);
  while (level > 1 && row.pyramid.level(level - 2).size() <= kLookedAtNodes) --level;
  return std::ranges::any_of(row.pyramid.level(level - 1),
                             [&](const PyramidNode& node) { return takes(row.slices.placed().label_of(node.label)); });
}

// Communication usually has a stream of its own. If not, it is among the longest slices of its stream.
void find_communication(const Trace& trace, const TraceIndex& index, std::vector<KnownLane>& lanes) {
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
    for (std::uint32_t r = lane.first_row; r < lane.first_row + lane.row_count && !lanes[l].communicates; ++r) {
      if (trace.rows[r].kind != RowKind::Slices) continue;
      lanes[l].communicates = any_of_row(index.row(trace, id_at<RowId>(r)), is_communication);
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

std::vector<KnownLane> known_lanes(const Trace& trace, const TraceIndex& index) {
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
  find_communication(trace, index, lanes);
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    const Lane& lane = trace.lanes[l];
    Tells& telling = lanes[l].telling;
    if (telling == Tells::Thread && lanes[l].launches > 0) telling = Tells::Launching;
    const bool may_idle = telling == Tells::Thread || telling == Tells::Stream;
    const auto most = static_cast<double>(busiest[{lanes[l].root, lane.kind}]);
    // A thread whose stack never changed has at most one slice per row.
    const bool never_changed = telling == Tells::Thread && lane.slices <= lane.row_count;
    if (may_idle && !lanes[l].communicates && (never_changed || static_cast<double>(lane.busy) < kIdleShare * most)) telling = Tells::Idle;
  }
  return lanes;
}

bool tells_order(const std::vector<KnownLane>& lanes) {
  return std::ranges::any_of(lanes, [](const KnownLane& lane) {
    return !lane.group && (lane.telling == Tells::Stream || lane.telling == Tells::Phases);
  });
}

}  // namespace tv

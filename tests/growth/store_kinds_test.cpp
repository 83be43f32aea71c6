// Growth kinds for the store: joining flow points, the programs of a merged file, processes of packed traces. They are made without
// files, because reading costs so much that the work for pairs of them would only show among thousands.
#include "core/store/draft/unread_sources.h"
#include "core/store/segments/compose.h"
#include "core/store/trace/bind_flows.h"
#include "tests/growth/growth.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

// Lanes with flow points, in file order.
struct MadeFlows {
  std::vector<Lane> lanes;
  std::vector<PlacedFlowPoint> points;

  LaneId lane(LaneId parent = kNone<LaneId>, LaneKind kind = LaneKind::Group) {
    lanes.emplace_back().kind = kind;
    lanes.back().parent = parent;
    return id_at<LaneId>(lanes.size() - 1);
  }
  // The thread of a program, or the stream of a GPU, in a group of its own.
  LaneId thread(LaneId root) { return lane(lane(root), LaneKind::Thread); }
  LaneId stream(LaneId root) { return lane(lane(root), LaneKind::Stream); }

  PlacedFlowPoint& point(FlowPoint::Kind kind, LaneId on, std::size_t id, std::size_t time, std::size_t source = 0) {
    points.push_back({kind, FlowPoint::Bind::Correlation, on, kNoKey, id, static_cast<Ns>(time),
                      ItemRef(id_at<SourceId>(source), 0, points.size())});
    return points.back();
  }
  void call(LaneId on, std::size_t id, std::size_t time, std::size_t source = 0) { point(FlowPoint::Kind::Start, on, id, time, source); }
  void work(LaneId on, std::size_t id, std::size_t time, std::size_t source = 0) { point(FlowPoint::Kind::End, on, id, time, source); }
  void event(FlowPoint::Kind kind, LaneId on, std::size_t id, std::size_t time, std::size_t key) {
    PlacedFlowPoint& made = point(kind, on, id, time);
    made.bind = FlowPoint::Bind::Enclosing;
    made.key = static_cast<std::uint32_t>(key);
  }

  void join(Meter& meter, std::size_t expected) const {
    FlowLinks found;
    meter.stage("join", [&] { found = link_flows(points, lanes, test_pool()); });
    CHECK(found.links.size() == expected);
    CHECK(found.doubtful.empty());
  }
};

void calls_and_kernels_of_one_correlation(Meter& meter, std::size_t n) {
  MadeFlows flows;
  const LaneId root = flows.lane(), thread = flows.thread(root), stream = flows.stream(root);
  for (std::size_t i = 0; i < n; ++i) flows.call(thread, 1, 20 * i), flows.work(stream, 1, 20 * i + 5);
  flows.join(meter, n);
}

// Each call has a start, an end that leads nowhere, and a step elsewhere.
void flow_events_of_one_correlation(Meter& meter, std::size_t n) {
  MadeFlows flows;
  const LaneId root = flows.lane(), thread = flows.thread(root), stream = flows.stream(root), other = flows.thread(root);
  for (std::size_t i = 0; i < n; ++i) {
    flows.call(thread, 1, 20 * i), flows.work(stream, 1, 20 * i + 5);
    flows.event(FlowPoint::Kind::Start, thread, 1, 20 * i, i);
    flows.event(FlowPoint::Kind::End, thread, 1, 20 * i, i);
    flows.event(FlowPoint::Kind::Step, other, 1, 20 * i + 10, i);
  }
  flows.join(meter, 2 * n);
}

void calls_of_one_correlation_in_programs(Meter& meter, std::size_t n) {
  MadeFlows flows;
  const LaneId root = flows.lane(), one = flows.thread(root), two = flows.thread(root), stream = flows.stream(root);
  flows.call(two, 2, 0);
  for (std::size_t i = 0; i < n; ++i) flows.call(one, 1, 20 * i + 10), flows.work(stream, 1, 20 * i + 15);
  flows.call(two, 2, 20 * n + 10);
  flows.join(meter, n);
}

// Two programs use the id of each GPU, and the second of them belongs to the next GPU. Only the last GPU has one program, and the
// programs of the others follow from that.
void gpus_with_a_program_each(Meter& meter, std::size_t n) {
  MadeFlows flows;
  const LaneId root = flows.lane();
  std::vector<LaneId> threads;
  for (std::size_t i = 0; i < n; ++i) threads.push_back(flows.thread(root));
  for (std::size_t i = 0; i < n; ++i) {
    flows.call(threads[i], i + 1, 100 * i);
    if (i + 1 < n) flows.call(threads[i + 1], i + 1, 100 * i);
    flows.work(flows.stream(root), i + 1, 100 * i + 50);
  }
  // The calls of all programs are mixed in the file.
  for (std::size_t i = 0; i < n; ++i) flows.call(threads[i], n + i + 1, 100 * n);
  flows.join(meter, n);
}

void files_of_which_one_is_merged(Meter& meter, std::size_t n) {
  MadeFlows flows;
  for (std::size_t i = 0; i < n; ++i) {
    const LaneId root = flows.lane();
    flows.call(flows.thread(root), i + 1, 0, i), flows.work(flows.stream(root), i + 1, 50, i);
    if (i + 1 == n) flows.call(flows.thread(root), n + 1, 0, i);
  }
  flows.join(meter, n);
}

// A packed trace with a report of each process.
std::shared_ptr<const Trace> reports_of_processes(std::size_t n, Ns begin) {
  Trace trace;
  trace.origin_ns = begin;
  trace.extent = trace.work = {0, kMillisecond};
  for (std::size_t i = 0; i < n; ++i) {
    SourceInfo& source = trace.sources.emplace_back();
    source.path = fmt::format("{}_{}.sqlite", begin, i);
    source.format = "nsys_sqlite";
    source.host = "node";
    source.pid = source.rank = static_cast<std::int64_t>(1000 + i);
    source.extent = source.work = trace.extent;
    Lane& lane = trace.lanes.emplace_back();
    lane.name = fmt::format("python, pid {}", *source.pid);
    lane.key = fmt::format("nsys node {}", *source.pid);
    lane.kind = LaneKind::Thread;
    lane.subtree_end = id_at<LaneId>(i + 1);
  }
  return std::make_shared<const Trace>(std::move(trace));
}

void processes_in_two_packed_traces(Meter& meter, std::size_t n) {
  const Segments packed = {reports_of_processes(n, 0), reports_of_processes(n, kSecond)};
  std::shared_ptr<const Trace> view;
  meter.stage("compose", [&] { view = compose(packed, PlaceBy::Recorded).value(); });
  CHECK(view->lanes.size() == n);
  CHECK(!view->sources.front().process.empty());
}

void sources_without_events(Meter& meter, std::size_t n) {
  std::vector<SourceInfo> sources(n);
  for (SourceInfo& source : sources) source.state = SourceState::Ready;
  std::string why;
  meter.stage("nothing read", [&] { why = nothing_read(sources, {}); });
  CHECK(why.empty());
}

const GrowthKind kStoreKinds[] = {
    {"calls and kernels of one correlation", 1024, calls_and_kernels_of_one_correlation},
    {"flow events of one correlation", 1024, flow_events_of_one_correlation},
    {"calls of one correlation in a merged file", 1024, calls_of_one_correlation_in_programs},
    {"GPUs with a program each", 512, gpus_with_a_program_each},
    {"files of which one is merged", 1024, files_of_which_one_is_merged},
    {"processes in two packed traces", 512, processes_in_two_packed_traces},
    {"sources without events", 2048, sources_without_events},
};

}  // namespace

TEST_SUITE("growth") {
  TEST_CASE("growth: flow points, programs, processes and sources in the store cost at most n log n") { check_growth(kStoreKinds); }
}

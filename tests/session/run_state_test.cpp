// Selected requests and what follows from them, on a handmade log of two workers and two steps.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/query/lane_gaps.h"
#include "core/session/load/load_job.h"
#include "core/session/workspace/run_state.h"
#include "core/view/chart/chart_brush.h"
#include "core/view/charts/rollout/rollout_chart_parts.h"
#include "core/view/details/gap_details.h"
#include "tests/support/gen_trace.h"
#include "tests/support/rollout_log_line.h"
#include "tests/support/temp_dir.h"

using namespace tv;
using namespace tv::test;

namespace {

// Requests of 1, 2, 3 ... seconds: worker 0 has the odd ones of a step, worker 1 the even ones and one turn more.
void write(const TempDir& folder) {
  for (int step = 1; step <= 2; ++step) {
    const double begin = step * 20.0;
    for (int worker = 0; worker < 2; ++worker) {
      std::string text = rollout_log_line(begin, "preprocessing_duration", 1, worker, step);
      for (int seconds = 1 + worker; seconds <= 5; seconds += 2) {
        text += rollout_log_line(begin + seconds, "async_rollout_request_complete", seconds, worker, step,
                                 fmt::format(R"("request_id": "r{}{}", "turns": {})", step, seconds, 1 + worker));
      }
      const double own = worker == 0 ? 5 : 4;
      text += rollout_log_line(begin + own, "async_generate_duration", own, worker, step);
      text += rollout_log_line(begin + 5.01, "barrier_wait_duration", 5.01 - own, worker, step);
      text += rollout_log_line(begin + 5.1, "total_step_duration", 6.1, worker, step);
      folder.write(fmt::format("exp/step_{}/worker_{}.jsonl", step, worker), text);
    }
  }
}

struct RolloutDesk {
  RolloutDesk() {
    write(folder);
    snapshot = load_snapshot({folder.path()}, test_pool());
    follow();
  }
  // Waits until the analysis in the background has arrived.
  void follow() {
    for (int i = 0; i < 2000; ++i) {
      state.follow(snapshot, selection);
      if (state.rollout() && !state.busy()) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    REQUIRE(state.rollout());
  }
  // Waits for the charts of a kind that answer the current question.
  RunState::Charts charts(std::string_view id) {
    const auto kind = std::ranges::find(chart_kinds(), id, &ChartKind::id);
    REQUIRE(kind != chart_kinds().end());
    RunState::Charts made;
    for (int i = 0; i < 2000 && !made.fresh; ++i) {
      made = state.charts(*kind);
      if (!made.fresh) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    REQUIRE(made.fresh);
    REQUIRE(made.charts);
    REQUIRE(!made.charts->empty());
    return made;
  }
  std::size_t selected() const { return state.question().requests.size(); }
  std::string_view request() const { return state.rollout()->id(*state.question().request); }

  TempDir folder;
  std::shared_ptr<const Snapshot> snapshot;
  Selection selection;
  RunState state{test_pool(), [] {}};
};

}  // namespace

TEST_CASE("run_state: chips and the brush narrow the selected requests") {
  RolloutDesk desk;
  CHECK(desk.selected() == 10);
  CHECK(desk.state.everything());
  desk.state.add_chip("dur > 2s");
  CHECK(desk.state.chips() == std::vector<std::string>{"dur>2s"});
  CHECK(desk.selected() == 6);
  desk.state.add_chip("worker==0");
  CHECK(desk.selected() == 4);
  desk.state.add_chip("worker == 0");  // there already
  CHECK(desk.state.chips().size() == 2);
  const std::uint64_t before = desk.state.version();
  desk.state.set_brush("dur>=4", "cdf");
  CHECK(desk.selected() == 2);
  CHECK(desk.state.version() != before);
  desk.state.set_brush({}, {});
  CHECK(desk.selected() == 4);
  desk.state.add_chip("dur >");
  CHECK(!desk.state.complaint().empty());
  CHECK(desk.selected() == 4);
  desk.state.remove_chip(0);
  desk.state.remove_chip(7);
  CHECK(desk.selected() == 6);
  CHECK(desk.state.complaint().empty() == false);
  desk.state.add_chip("turns==1");
  CHECK(desk.state.complaint().empty());
  desk.state.set_brush("dur>4", "cdf");
  desk.state.select_everything();
  CHECK(desk.state.brush().empty());
  CHECK(desk.state.everything());
}

TEST_CASE("run_state: an area of the timeline selects the requests on its lanes that overlap it") {
  RolloutDesk desk;
  // The first step begins a second after the trace's origin: in its fourth second, the requests of 4 and 5 seconds are running.
  desk.selection.range = TimeRange{4'500'000'000, 4'600'000'000};
  desk.follow();
  CHECK(desk.selected() == 2);
  const Trace& trace = *desk.snapshot->trace;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (trace.lanes[l].name == "worker 1") desk.selection.lanes = {id_at<LaneId>(l)};
  }
  REQUIRE(!desk.selection.lanes.empty());
  desk.follow();
  REQUIRE(desk.selected() == 1);
  CHECK(desk.state.rollout()->id(desk.state.question().requests[0]) == "r14");
  desk.selection = {};
  desk.follow();
  CHECK(desk.state.everything());
}

// Found by random input: the smaller trace did not have the area's lane.
TEST_CASE("run_state: a trace with fewer lanes can replace one that had an area on its last lane") {
  RolloutDesk desk;
  desk.selection.range = TimeRange{0, 60'000'000'000};
  desk.selection.lanes = {id_at<LaneId>(desk.snapshot->trace->lanes.size() - 1)};
  desk.follow();
  const TempDir folder;
  folder.write("exp/step_1/worker_0.jsonl",
               rollout_log_line(3, "async_rollout_request_complete", 2, 0, 1, R"("request_id": "only", "turns": 1)"));
  auto smaller = std::make_shared<Snapshot>(*load_snapshot({folder.path()}, test_pool()));
  REQUIRE(smaller->trace->lanes.size() < desk.snapshot->trace->lanes.size());
  smaller->generation = desk.snapshot->generation + 1;
  desk.snapshot = smaller;
  desk.selection = {};
  for (int i = 0; i < 2000 && desk.state.rollout()->trace != smaller->trace; ++i) {
    desk.follow();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(desk.selected() == 1);
  CHECK(desk.state.everything());
}

TEST_CASE("run_state: next_slowest visits each request once, the slowest first") {
  RolloutDesk desk;
  desk.state.add_chip("step==2");
  std::vector<std::string> order;
  for (auto next = desk.state.next_slowest(true); next; next = desk.state.next_slowest(true)) {
    desk.state.look_at_request(*next);
    order.emplace_back(desk.request());
  }
  CHECK(order == std::vector<std::string>{"r25", "r24", "r23", "r22", "r21"});
  const auto back = desk.state.next_slowest(false);
  REQUIRE(back);
  CHECK(desk.state.rollout()->id(*back) == "r22");
  CHECK(desk.state.question().step == 1);
  CHECK(desk.state.question().worker == 0);
}

TEST_CASE("run_state: next_slowest visits the earlier of equally slow requests first, and goes back in reverse order") {
  RolloutDesk desk;
  std::vector<std::string> order, back;
  for (auto next = desk.state.next_slowest(true); next; next = desk.state.next_slowest(true)) {
    desk.state.look_at_request(*next);
    order.emplace_back(desk.request());
  }
  CHECK(order == std::vector<std::string>{"r15", "r25", "r14", "r24", "r13", "r23", "r12", "r22", "r11", "r21"});
  back.emplace_back(desk.request());
  for (auto next = desk.state.next_slowest(false); next; next = desk.state.next_slowest(false)) {
    desk.state.look_at_request(*next);
    back.emplace_back(desk.request());
  }
  std::ranges::reverse(back);
  CHECK(back == order);
}

TEST_CASE("run_state: across_barrier leads from a wait to the request that it waited for, and back") {
  RolloutDesk desk;
  const Trace& trace = *desk.snapshot->trace;
  const Rollout& rollout = *desk.state.rollout();
  std::size_t waits = 0;
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    if (trace.labels.name(trace.slices.label[i]) != "barrier_wait_duration") continue;
    const auto there = desk.state.across_barrier(id_at<SliceId>(i));
    REQUIRE(there);
    const auto request = rollout.of_slice(*there);
    REQUIRE(request);
    CHECK(rollout.seconds[*request] == 5);
    const auto back = desk.state.across_barrier(*there);
    REQUIRE(back);
    CHECK(trace.name_of(*back) == "barrier_wait_duration");
    CHECK(trace.duration_of(*back) == 1'010'000'000);
    CHECK(desk.state.barrier_arrows(id_at<SliceId>(i)) == std::vector<Flow>{{id_at<SliceId>(i), *there}});
    // From all workers that waited for it, except its own.
    for (const Flow& arrow : desk.state.barrier_arrows(*there)) CHECK(arrow.to == *there);
    CHECK(desk.state.barrier_arrows(*there).size() == 1);
    ++waits;
  }
  CHECK(waits == 4);
  CHECK(desk.state.ledger().lost == doctest::Approx(2.02));
  CHECK(!desk.state.across_barrier(id_at<SliceId>(0)).has_value() ==
        (trace.labels.name(trace.slices.label[0]) != "barrier_wait_duration" && !rollout.of_slice(id_at<SliceId>(0))));
}

TEST_CASE("run_state: a brush changes other charts of requests, but not the brushed one") {
  RolloutDesk desk;
  const auto charts = [&](std::string_view id) { return desk.charts(id); };
  const auto cdf = charts("cdf"), turns = charts("turns"), blame = charts("blame");
  desk.state.set_brush("dur>=4", "cdf");
  CHECK(charts("cdf").version == cdf.version);
  CHECK(charts("turns").version != turns.version);
  CHECK(charts("blame").version == blame.version);  // it covers the whole run
  desk.state.set_brush({}, {});
  CHECK(charts("cdf").version == cdf.version);
  for (const ChartKind& kind : chart_kinds()) {
    if (kind.of != RunPart::Rollout) continue;
    for (const bool script : {false, true}) {
      if (desk.state.question().as_script != script) desk.state.toggle_script_reading();
      CHECK(!charts(kind.id).charts->front().title.empty());
    }
  }
}

TEST_CASE("run_state: a trace without rollouts gives no rollout") {
  const TempDir folder;
  folder.write("a.json", R"({"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]})");
  const auto snapshot = load_snapshot({folder.path()}, test_pool());
  RunState state(test_pool(), [] {});
  state.follow(snapshot, {});
  CHECK(state.rollout() == nullptr);
  CHECK(!state.busy());
  CHECK(!state.next_slowest(true).has_value());
}

TEST_CASE("run_state: an area on a worker's counter selects its requests") {
  RolloutDesk desk;
  const Trace& trace = *desk.snapshot->trace;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    const Lane& lane = trace.lanes[l];
    if (lane.counter == UINT32_MAX) continue;
    CAPTURE(lane.name);
    desk.selection.range = TimeRange{0, 60'000'000'000};
    desk.selection.lanes = {id_at<LaneId>(l)};
    desk.follow();
    const std::size_t own = trace.lane(lane.parent).name == "worker 0" ? 6 : 4;
    CHECK(desk.selected() == own);
  }
}

TEST_CASE("run_state: an area on a worker's phases selects its requests") {
  RolloutDesk desk;
  const Trace& trace = *desk.snapshot->trace;
  std::size_t seen = 0;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (trace.lanes[l].kind != LaneKind::Phases) continue;
    desk.selection.range = TimeRange{0, 60'000'000'000};
    desk.selection.lanes = {id_at<LaneId>(l)};
    desk.follow();
    CHECK(desk.selected() == (trace.lane(trace.lanes[l].parent).name == "worker 0" ? 6 : 4));
    ++seen;
  }
  CHECK(seen == 2);
}

TEST_CASE("run_state: charts show the selected requests, whatever step is looked at, and say so") {
  RolloutDesk desk;
  desk.state.look_at_step(1);
  CHECK(desk.state.shown() == "step 2");
  // In the first step, which begins a second after the trace.
  desk.selection.range = TimeRange{4'500'000'000, 4'600'000'000};
  desk.follow();
  REQUIRE(desk.selected() == 2);
  CHECK(desk.state.question().step == 1);  // the step that is looked at stays
  CHECK(desk.state.shown() == "step 1, in 100 ms");
  for (const char* id : {"cdf", "requests", "scatter", "in_flight", "turns"}) {
    CAPTURE(id);
    for (const Chart& chart : *desk.charts(id).charts) {
      CAPTURE(chart.id);
      if (chart.id == "request_phases") continue;  // of one request
      CHECK(chart.title.find("100 ms") != std::string::npos);
      CHECK(chart.empty != kNoRequests);
    }
  }
  CHECK(desk.charts("cdf").charts->front().title == "Duration of requests, step 1, in 100 ms (2 of 5 requests)");
  // Charts of whole steps cover each step that the area touches; charts of the whole run say that they do not follow it.
  CHECK(desk.charts("workers").charts->front().title.find("step 1") != std::string::npos);
  CHECK(desk.charts("blame").charts->front().table->rows.size() == 1);
  CHECK(desk.charts("steps").charts->front().title.find("all data, not only 100 ms") != std::string::npos);

  desk.selection.range = TimeRange{4'500'000'000, 24'500'000'000};
  desk.follow();
  CHECK(desk.state.shown().starts_with("steps 1 and 2, in 20 s"));
  desk.selection = {};
  desk.follow();
  CHECK(desk.state.shown() == "step 2");
}

TEST_CASE("run_state: the chart in which an area was chosen keeps showing all, until the timeline chooses the same") {
  RolloutDesk desk;
  const auto of_area = [&](std::string_view id) {
    return desk.charts(id).charts->front().title.find("100 ms") != std::string::npos;
  };
  desk.selection.range = TimeRange{4'500'000'000, 4'600'000'000};
  desk.selection.made_in = "in_flight";
  desk.follow();
  CHECK(!of_area("in_flight"));
  CHECK(of_area("cdf"));
  desk.selection.made_in.clear();
  desk.follow();
  CHECK(of_area("in_flight"));
  CHECK(of_area("cdf"));
}

TEST_CASE("run_state: charts are not requested again while the selection stays the same") {
  RolloutDesk desk;
  desk.state.set_brush("dur>=4", "cdf");
  desk.selection.range = TimeRange{4'500'000'000, 4'600'000'000};
  desk.follow();
  const std::uint64_t asked = desk.state.version();
  for (int frame = 0; frame < 3; ++frame) desk.state.follow(desk.snapshot, desk.selection);
  CHECK(desk.state.version() == asked);
}

TEST_CASE("run_state: a brush made in a chart of one step applies to that step") {
  RolloutDesk desk;
  desk.state.look_at_step(1);
  const Chart cdf = desk.charts("cdf").charts->front();
  ChartBrush brush;
  brush.x = {2.5, 4.5};
  desk.state.set_brush(brush_filter(cdf, brush), "cdf");
  CHECK(desk.state.brush() == "step==2 && dur>=2.5s && dur<=4.5s");
  CHECK(desk.selected() == 2);
  CHECK(desk.charts("cdf").charts->front().title == cdf.title);  // the brushed chart does not change
  // A brush made in a chart of all steps applies to all steps; charts of one step then show these.
  desk.state.set_brush("dur>=2.5s && dur<=4.5s", "heat_map");
  CHECK(desk.selected() == 4);
  CHECK(desk.state.shown() == "steps 1 and 2");
  CHECK(desk.charts("cdf").charts->front().title ==
        "Duration of requests, steps 1 and 2 (4 of 10 requests), where dur >= 2.5 s && dur <= 4.5 s");
}

TEST_CASE("run_state: if chips leave no request of the current step, charts show the steps that have some") {
  RolloutDesk desk;
  desk.state.look_at_step(0);
  desk.state.add_chip("turns==1");
  CHECK(desk.state.shown() == "step 1");
  desk.state.add_chip("step==2");
  CHECK(desk.state.shown() == "step 2, worker 0");
  CHECK(desk.charts("cdf").charts->front().empty.empty());
}

TEST_CASE("run_state: a selected request narrows charts of one step to its worker until it is deselected") {
  RolloutDesk desk;
  desk.state.look_at_step(0);
  const Rollout& rollout = *desk.state.rollout();
  for (RequestIx r = 0; r < rollout.size(); ++r) {
    if (rollout.id(r) == "r24") desk.selection.slice = rollout.slice[r];
  }
  desk.follow();
  CHECK(desk.state.shown() == "step 2, worker 1, of the selected request");
  desk.selection.slice = kNone<SliceId>;
  desk.follow();
  CHECK(desk.state.shown() == "step 2");
  desk.state.look_at_request(0);
  desk.state.look_at_step(1);
  CHECK(desk.state.shown() == "step 2");
}

TEST_CASE("run_state: an area on other lanes selects requests by time, and is ignored where there are none") {
  RolloutDesk desk;
  // A thread next to the workers, on the same clock.
  desk.folder.write("trace.json", R"({"baseTimeNanoseconds": 1752404400000000000, "traceEvents": [
    {"ph": "X", "name": "a", "ts": 20000000, "dur": 40000000, "pid": 1, "tid": 1}]})");
  desk.snapshot = load_snapshot({desk.folder.path()}, test_pool());
  desk.snapshot = [&] {
    auto again = std::make_shared<Snapshot>(*desk.snapshot);
    again->generation = 77;
    return again;
  }();
  desk.follow();
  const Trace& trace = *desk.snapshot->trace;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (trace.lanes[l].kind == LaneKind::Thread && trace.lanes[l].slices > 0) desk.selection.lanes = {id_at<LaneId>(l)};
  }
  REQUIRE(!desk.selection.lanes.empty());
  desk.selection.range = TimeRange{4'500'000'000, 4'600'000'000};
  desk.follow();
  CHECK(desk.selected() == 2);
  CHECK(desk.state.shown() == "step 1, in 100 ms of all workers");
  desk.selection.range = TimeRange{14'000'000'000, 14'100'000'000};  // between the steps
  desk.follow();
  CHECK(desk.selected() == 10);
  CHECK(desk.state.shown().ends_with("all data: no request in 100 ms of 1 lane"));
}

TEST_CASE("run_state: set_chips restores earlier chips, and chart settings survive a new snapshot") {
  RolloutDesk desk;
  desk.state.add_chip("worker==0");
  const std::vector<std::string> before = desk.state.chips();
  desk.state.add_chip("dur>2s");
  CHECK(desk.selected() == 4);
  desk.state.set_chips(before);
  CHECK(desk.selected() == 6);
  desk.state.set_chart("histogram_bins", "20");
  auto again = std::make_shared<Snapshot>(*desk.snapshot);
  ++again->generation;
  desk.snapshot = again;
  desk.follow();
  CHECK(desk.state.question().settings.number("histogram_bins", 50) == 20);
  CHECK(desk.selected() == 6);
}

TEST_CASE("run_state: findings equal those of a headless command once the trace is complete") {
  RolloutDesk desk;
  desk.state.findings();
  desk.follow();
  const std::span<const Finding> found = desk.state.findings();
  const std::vector<Finding> expected = findings(desk.state.data(), *desk.snapshot->trace);
  REQUIRE(!expected.empty());
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i].sentence == expected[i].sentence);
  auto half = std::make_shared<Snapshot>(*desk.snapshot);
  half->complete = false;
  ++half->generation;
  desk.snapshot = half;
  desk.follow();
  CHECK(desk.state.findings().empty());
}

TEST_CASE("run_state: charts of one step start with the step that lost the most time, not with the longest one") {
  TempDir folder;
  for (int step = 1; step <= 2; ++step) {
    for (int worker = 0; worker < 2; ++worker) {
      // Step 1 is long for both, in step 2 one waits for the other.
      const double begin = step == 1 ? 1 : 30, own = step == 1 ? 15 : worker == 0 ? 10 : 2, end = step == 1 ? 15 : 10;
      std::string text = rollout_log_line(begin + own, "async_rollout_request_complete", own, worker, step,
                                          fmt::format(R"("request_id": "r{}{}", "turns": 1)", step, worker));
      text += rollout_log_line(begin + own, "async_generate_duration", own, worker, step);
      text += rollout_log_line(begin + end + 0.01, "barrier_wait_duration", end + 0.01 - own, worker, step);
      text += rollout_log_line(begin + end + 0.1, "total_step_duration", end + 0.1, worker, step);
      folder.write(fmt::format("exp/step_{}/worker_{}.jsonl", step, worker), text);
    }
  }
  const auto snapshot = load_snapshot({folder.path()}, test_pool());
  RunState state(test_pool(), [] {});
  for (int i = 0; i < 2000 && (!state.rollout() || state.busy()); ++i) {
    state.follow(snapshot, {});
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  REQUIRE(state.rollout());
  REQUIRE_FALSE(state.ledger().entries.empty());
  const std::uint32_t worst = state.ledger().entries.front().step;
  CHECK(state.rollout()->steps[worst].step == 2);
  CHECK(state.question().step == worst);
}

TEST_CASE("gap_details: a gap between two steps of a rollout is explained as such") {
  TempDir folder;
  write(folder);
  const auto snapshot = load_snapshot({folder.path()}, test_pool());
  const Trace& trace = *snapshot->trace;
  std::size_t between = 0;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (trace.lanes[l].kind != LaneKind::Phases) continue;
    for (const Gap& gap : gaps_of_lane(trace, id_at<LaneId>(l))) {
      const GapDetails details = gap_details(*snapshot, nullptr, gap);
      const auto says = [&](std::string_view text) {
        return std::ranges::any_of(details.reasons, [&](const std::string& reason) { return reason.find(text) != std::string::npos; });
      };
      if (!says("between the rollouts of step 1 and step 2")) continue;
      CHECK_FALSE(says("nothing else of this process"));
      ++between;
    }
  }
  CHECK(between == 2);  // one per worker
}

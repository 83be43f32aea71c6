// Colours of slices by the rule that the user chose, for whatever is open.
#include <algorithm>
#include <map>

#include "tests/session/desk.h"
#include "tests/support/places.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

std::string class_name(const Workspace& ws, SliceId slice) {
  const SliceColors& colors = *ws.coloring().colors();
  const LaneId lane = ws.trace().row(ws.trace().row_of(slice)).lane;
  return colors.look(colors.of(slice, ws.trace().label_of(slice), lane)).name;
}

}  // namespace

TEST_CASE("coloring: slices are coloured by name by default or if a rule does not apply, a choice survives opening") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.wait_for_all();
  CHECK(!desk.ws.coloring().colors());
  CHECK(desk.ws.coloring().offered() == std::vector<ColorRule>{ColorRule::Name, ColorRule::Duration});
  desk.apply(ColorSlices{});  // the next rule
  desk.wait_for_all();
  REQUIRE(desk.ws.coloring().colors());
  CHECK(desk.ws.coloring().colors()->rule() == ColorRule::Duration);
  const std::uint64_t version = desk.ws.coloring().version();
  desk.apply(ToggleTheme{});
  desk.wait_for_all();
  CHECK(desk.ws.coloring().version() != version);
  desk.apply(ColorSlices{ColorRule::Turn});
  CHECK(desk.ws.take_notice().find("coloured by name") != std::string::npos);
  desk.wait_for_all();
  CHECK(!desk.ws.coloring().colors());
  desk.apply(ColorSlices{ColorRule::Duration});
  desk.open({steps(folder, "more.json")});
  desk.wait_for_all();
  REQUIRE(desk.ws.coloring().colors());
  CHECK(desk.ws.coloring().colors()->trace() == &desk.ws.trace());
}

TEST_CASE("coloring: turns of requests match the order of engine calls, statuses match the log's finish reasons") {
  TestDesk desk;
  desk.open({source_dir() + "/assets/samples/rl_run/rollout/step_2"});
  desk.wait_for_all();
  REQUIRE(desk.ws.results().rollout);
  const Rollout& rollout = *desk.ws.results().rollout;
  const Trace& trace = desk.ws.trace();
  desk.apply(ColorSlices{ColorRule::Turn});
  desk.wait_for_all();
  REQUIRE(desk.ws.coloring().colors());
  struct Call {
    Ns begin, end;
    SliceId slice;
  };
  std::map<RequestIx, std::vector<Call>> calls;
  for (std::size_t s = 0; s < trace.slices.size(); ++s) {
    const auto id = id_at<SliceId>(s);
    if (trace.labels.name(trace.slices.label[s]) != "turn_engine_call") continue;
    if (const auto request = rollout.of_slice(id))
      calls[*request].push_back({trace.slices.begin[s], trace.slices.begin[s] + trace.slices.duration[s], id});
  }
  std::size_t seen = 0, several = 0;
  for (auto& [request, of_request] : calls) {
    std::ranges::sort(of_request, {}, &Call::begin);
    several += of_request.size() > 1;
    for (std::size_t turn = 0; turn < of_request.size(); ++turn) {
      CHECK(class_name(desk.ws, of_request[turn].slice) == "turn " + std::to_string(turn + 1));
      ++seen;
    }
  }
  CHECK(seen > 10);
  CHECK(several > 2);
  // Slices within a call have its turn; a tool has the turn of the previous call.
  for (std::size_t s = 0; s < trace.slices.size(); ++s) {
    const auto id = id_at<SliceId>(s);
    const std::string_view category = trace.labels.category(trace.slices.label[s]);
    const auto request = category == "tool" ? rollout.of_slice(id) : std::nullopt;
    if (!request || trace.slices.duration[s] == 0) continue;
    std::size_t before = 0;
    for (const Call& call : calls[*request]) before += call.end <= trace.slices.begin[s] + 1'000;
    if (before > 0) CHECK(class_name(desk.ws, id) == "turn " + std::to_string(before));
  }
  desk.apply(ColorSlices{ColorRule::Status});
  desk.wait_for_all();
  REQUIRE(desk.ws.coloring().colors());
  for (RequestIx r = 0; r < rollout.size(); ++r) {
    if (rollout.slice[r] == kNone<SliceId>) continue;
    const std::string_view finish = rollout.log().text(rollout.request(r).finish);
    const std::string expected = finish == "STOP"     ? "finished"
                                 : finish == "LENGTH" ? "cut off at the longest length"
                                                      : "tool_call";
    CHECK(class_name(desk.ws, rollout.slice[r]) == expected);
  }
}

TEST_CASE("area: a selected range covers the lanes that the filter shows, and all but the last can be taken out") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  desk.apply(SelectRange{{0, 500'000}, {}});
  CHECK(desk.ws.state().selection.lanes.empty());
  desk.apply(ToggleAreaLane{desk.lane("thread 3")});
  CHECK(desk.ws.state().selection.lanes == std::vector<LaneId>{desk.lane("thread 2")});
  desk.apply(ToggleAreaLane{desk.lane("thread 2")});  // the last one stays
  CHECK(desk.ws.state().selection.lanes.size() == 1);
  CHECK(!desk.ws.take_notice().empty());
  desk.apply(FilterLanes{"thread 3"});
  desk.apply(SelectRange{{0, 500'000}, {}});
  CHECK(desk.ws.state().selection.lanes == std::vector<LaneId>{desk.lane("thread 3")});
  desk.apply(FilterLanes{"thread 3.."});
  CHECK(desk.ws.state().lanes.complaint.find("0..3,7") != std::string::npos);
  desk.apply(FilterLanes{""});
  CHECK(desk.ws.state().lanes.complaint.empty());
}

TEST_CASE("pointer: the time hovered in a chart is the timeline's pointer time for one frame") {
  const TempDir folder;
  TestDesk desk;
  desk.open({steps(folder)});
  CHECK(!desk.ws.state().pointer.time());
  desk.ws.set_chart_time(200'000);
  desk.frame();
  CHECK(desk.ws.state().pointer.time() == 200'000);
  desk.ws.set_mouse({.on_timeline = 300'000.0});
  CHECK(desk.ws.state().pointer.time() == 300'000);
  desk.ws.set_mouse({});
  desk.frame();
  CHECK(!desk.ws.state().pointer.time());
}

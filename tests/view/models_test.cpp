// The small models: pick, selection, keymap, commands, slice details, minimap.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/query/search/search_hits.h"
#include "core/store/trace/trace_builder.h"
#include "core/view/details/selection.h"
#include "core/view/details/slice_details.h"
#include "core/view/keys/keymap.h"
#include "core/view/timeline/minimap.h"
#include "core/view/timeline/pick.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

TraceSketch launch_and_kernel() {
  TraceSketch sketch;
  sketch.lane("cpu", RowRule::Nest)
      .lane("gpu", RowRule::Nest)
      .lane("memory", RowRule::Nest, LaneKind::Counter);
  sketch.slice("cpu", 0, 400, "step").slice("cpu", 100, 100, "launch").slice("gpu", 500, 100, "kernel");
  sketch.slice("gpu", 800, 200, "copy").sample("memory", 0, 5).sample("memory", 500, 7);
  sketch.flow("cpu", FlowPoint::Kind::Start, 150, "1").flow("gpu", FlowPoint::Kind::End, 500, "1");
  return sketch;
}

SliceId find(const Trace& trace, std::string_view name) {
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    if (trace.labels.name(trace.slices.label[i]) == name) return id_at<SliceId>(i);
  }
  return kNone<SliceId>;
}

}  // namespace

TEST_CASE("pick: a position gives a slice, a gap, a counter value or nothing") {
  const Snapshot snapshot = snapshot_of(launch_and_kernel().build());
  const LaneLayout layout(*snapshot.trace, {}, LaneMetrics());
  const Viewport view{0, 1'000};
  const auto at = [&](double x, double y) { return pick(snapshot, layout, view, 1'000, 0, x, y, 3); };
  const LaneBox &cpu = layout.boxes()[1], &gpu = layout.boxes()[2], &memory = layout.boxes()[3];
  CHECK(at(150, cpu.rows_y() + 20)->slice == find(*snapshot.trace, "launch"));
  CHECK(at(99, cpu.rows_y() + 20)->slice == find(*snapshot.trace, "launch"));  // within the tolerance
  CHECK(at(90, cpu.rows_y() + 20)->slice == std::nullopt);
  REQUIRE(at(700, gpu.rows_y())->gap);
  CHECK(at(700, gpu.rows_y())->gap->time == TimeRange{600, 800});
  CHECK(at(700, gpu.rows_y())->gap->before == find(*snapshot.trace, "kernel"));
  CHECK(at(600, memory.counter_y() + 1)->value == 7);
  CHECK(at(10, -5) == std::nullopt);
  CHECK(at(10, layout.height() + 1) == std::nullopt);
}

TEST_CASE("pick: snapping goes to the nearest edge") {
  const auto trace = launch_and_kernel().build();
  const RowSlices gpu = trace->slices_of(trace->row(trace->row_of(find(*trace, "kernel"))));
  CHECK(snap_to_edge(gpu, 495, 10) == 500);
  CHECK(snap_to_edge(gpu, 595, 10) == 600);
  CHECK(snap_to_edge(gpu, 795, 10) == 800);
  CHECK(snap_to_edge(gpu, 550, 10) == std::nullopt);
  CHECK(snap_to_edge(gpu, 1'005, 10) == 1'000);
}

TEST_CASE("selection: slice and area survive the next snapshot") {
  const TraceSketch sketch = launch_and_kernel();
  TraceSketch earlier;
  earlier.lane("earlier", RowRule::Nest).slice("earlier", -1'000, 10);
  const Snapshot before = snapshot_of(sketch.build());
  Snapshot after = snapshot_of(build_trace({sketch.view(), earlier.view()}, test_pool()));
  after.generation = 2;
  Selection selection;
  selection.select(before, find(*before.trace, "kernel"));
  selection.range = TimeRange{500, 600};
  selection.lanes = {id_at<LaneId>(1)};
  selection.carry_over(before, after);
  CHECK(selection.slice == find(*after.trace, "kernel"));
  CHECK(selection.range == TimeRange{1'500, 1'600});
  CHECK(selection.lanes.empty());  // the lanes have changed
  CHECK(selection.generation == 2);
  selection.carry_over(after, snapshot_of(earlier.build()));
  CHECK_FALSE(selection.has_slice());
}

TEST_CASE("selection: added slices that a snapshot lacks come back in order with a later one") {
  const auto names = [](const Snapshot& snapshot, const Selection& selection) {
    std::vector<std::string> out;
    for (const SliceId slice : selection.also) out.emplace_back(snapshot.trace->name_of(slice));
    return out;
  };
  const TraceSketch sketch = launch_and_kernel();
  TraceSketch part;  // the same records, as far as they have been read
  part.lane("cpu", RowRule::Nest).lane("gpu", RowRule::Nest).slice("cpu", 0, 400, "step").slice("cpu", 100, 100, "launch");
  const Snapshot whole = snapshot_of(sketch.build()), begun = snapshot_of(part.build());
  Selection selection;
  for (const char* name : {"step", "kernel", "launch", "copy"}) selection.add(whole, find(*whole.trace, name));
  selection.carry_over(whole, begun);
  CHECK(selection.slice == find(*begun.trace, "step"));
  CHECK(names(begun, selection) == std::vector<std::string>{"launch"});
  Selection fewer = selection;
  selection.carry_over(begun, whole);
  CHECK(names(whole, selection) == std::vector<std::string>{"kernel", "launch", "copy"});

  fewer.add(begun, fewer.slice);  // removes it: the next one that is there is selected instead
  CHECK(fewer.slice == find(*begun.trace, "launch"));
  fewer.carry_over(begun, whole);
  CHECK(fewer.slice == find(*whole.trace, "launch"));
  CHECK(names(whole, fewer) == std::vector<std::string>{"kernel", "copy"});
  fewer.add(whole, find(*whole.trace, "kernel"));
  fewer.carry_over(whole, whole);
  CHECK(names(whole, fewer) == std::vector<std::string>{"copy"});
}

TEST_CASE("keymap: there is one row per action, in order, with unique ids and keys") {
  std::set<std::string_view> ids;
  std::set<std::string> keys;
  std::size_t next = 0;
  for (const Binding& binding : bindings()) {
    CAPTURE(binding.id);
    CHECK(static_cast<std::size_t>(binding.action) == next++);
    CHECK(ids.insert(binding.id).second);
    CHECK_FALSE(binding.title.empty());
    for (const Chord chord : {binding.chord, binding.second}) {
      if (chord.key == Key::None) continue;
      CHECK(keys.insert(text(chord)).second);
      CHECK(action_for(chord) == binding.action);
    }
    CHECK(command_for(binding.action).has_value() != binding.held);
  }
}

TEST_CASE("keymap: W S A D are held keys, with Shift too, and keys have readable names") {
  for (const Action action : {Action::ZoomIn, Action::ZoomOut, Action::PanLeft, Action::PanRight}) {
    CHECK(binding(action).held);
  }
  CHECK(action_for({Key::W, kShift}) == Action::ZoomIn);
  CHECK(action_for({Key::W, kCtrl}) == Action::Close);
  CHECK(action_for({Key::Y, kNoModifier}) == std::nullopt);
  CHECK(text({Key::P, kCtrl | kShift}) == "Ctrl+Shift+P");
  CHECK(name(Key::Question) == "?");
  CHECK(name(Key::Digit0) == "0");
  CHECK(name(Key::F12) == "F12");
  CHECK(name(Key::PageDown) == "Page Down");
}

TEST_CASE("commands: the queue hands out commands in order and is then empty") {
  CommandQueue queue;
  queue.push(command::FitAll{});
  queue.push(command::ZoomTo{{1, 2}});
  const auto commands = queue.take();
  REQUIRE(commands.size() == 2);
  CHECK(commands[0].is<command::FitAll>());
  CHECK(commands[1].get_if<command::ZoomTo>()->range == TimeRange{1, 2});
  CHECK(queue.empty());
}

TEST_CASE("slice_details: details of a slice include its lane, times, parent, source and flows") {
  const auto trace = launch_and_kernel().build();
  const SliceDetails launch = slice_details(*trace, find(*trace, "launch"));
  CHECK(launch.name == "launch");
  CHECK(launch.category == "test");
  CHECK(launch.lane_path == std::vector<std::string>{"process", "cpu"});
  CHECK(launch.begin == 100);
  CHECK(launch.duration == 100);
  CHECK(launch.parent->name == "step");
  CHECK(launch.parent->gap == 100);
  CHECK(launch.source.starts_with("sketch.json at byte "));
  REQUIRE(launch.outgoing.size() == 1);
  CHECK(launch.outgoing[0].name == "kernel");
  CHECK(launch.outgoing[0].gap == 300);
  CHECK(launch.incoming.empty());
  const SliceDetails kernel = slice_details(*trace, find(*trace, "kernel"));
  REQUIRE(kernel.incoming.size() == 1);
  CHECK(kernel.incoming[0].name == "launch");
  CHECK(kernel.incoming[0].lane == "cpu");
  CHECK(kernel.incoming[0].gap == 300);  // from the end of the launch
  const SliceDetails step = slice_details(*trace, find(*trace, "step"));
  CHECK(step.children == 1);
  CHECK(step.self == 300);
  CHECK(step.text().find("duration: 400 ns\n") != std::string::npos);
}

TEST_CASE("slice_details: an instant has a time, and no duration") {
  TraceSketch sketch;
  sketch.slice("t", 0, 100).instant("t", 40, "mark");
  const auto trace = sketch.build();
  const SliceDetails mark = slice_details(*trace, find(*trace, "mark"));
  CHECK(mark.instant);
  CHECK(mark.text().find("begin: 40 ns") != std::string::npos);
  CHECK(mark.text().find("duration") == std::string::npos);
  CHECK(!slice_details(*trace, find(*trace, "a")).instant);
}

TEST_CASE("slice_details: a slice that never ended has a note") {
  TraceSketch sketch;
  sketch.half("t", HalfEvent::Kind::Begin, 10, "open").slice("t", 0, 100);
  const auto trace = sketch.build();
  const SliceDetails open = slice_details(*trace, find(*trace, "open"));
  REQUIRE(open.notes.size() == 1);
  CHECK(open.notes[0].find("never ended") == 0);
}

TEST_CASE("minimap: columns show utilisation, and the window is at least two pixels wide") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).slice("t", 0, 1'000'000).slice("t", 1'999'999, 1);
  const Snapshot snapshot = snapshot_of(sketch.build());
  const Palette palette(snapshot.trace->labels, ThemeKind::Dark);
  Minimap minimap;
  // With everything in view, the strip shows the visible range: a margin at both ends.
  const Trace& trace = *snapshot.trace;
  const auto column = [&](double t) { return minimap.columns[static_cast<std::size_t>(minimap_x(trace, t, 220))]; };
  build_minimap(snapshot, snapshot.index->whole(), palette, {500'000, 1'000'000}, {}, 220, minimap);
  REQUIRE(minimap.columns.size() == 220);
  CHECK(minimap.columns[0] == 0);
  CHECK((column(500'000) >> 24) == 255);
  CHECK(column(1'500'000) == 0);
  CHECK(column(1'999'000) != 0);
  CHECK(minimap.window_x0 == doctest::Approx(60));
  CHECK(minimap.window_x1 == doctest::Approx(160));
  build_minimap(snapshot, snapshot.index->whole(), palette, fit(shown_extent(trace), reachable_extent(trace)), {}, 220, minimap);
  CHECK(minimap.window_x0 == doctest::Approx(0));
  CHECK(minimap.window_x1 == doctest::Approx(220));
  build_minimap(snapshot, snapshot.index->whole(), palette, {0, 10}, {}, 220, minimap);
  CHECK(minimap.window_x1 - minimap.window_x0 >= 2);
  CHECK(minimap.window_x0 >= 0);
  CHECK(minimap_time(trace, 110, 220) == doctest::Approx(1'000'000));
  CHECK(minimap_x(trace, minimap_time(trace, 33, 220), 220) == doctest::Approx(33));
}

TEST_CASE("minimap: only lanes that pass the filter count") {
  TraceSketch sketch;
  sketch.lane("early", RowRule::Nest).lane("late", RowRule::Nest);
  sketch.slice("early", 0, 1'000).slice("late", 9'000, 1'000);
  const Snapshot snapshot = snapshot_of(sketch.build());
  const auto busy = [&](const char* filter) {
    LaneState state;
    state.filter = filter;
    const Overview overview = overview_of(snapshot, LaneLayout(*snapshot.trace, state, LaneMetrics()));
    return std::pair(overview.busy[10] > 0, overview.busy[kOverviewBuckets - 10] > 0);
  };
  CHECK(busy("") == std::pair(true, true));
  CHECK(busy("early") == std::pair(true, false));
  CHECK(busy("late") == std::pair(false, true));
}

TEST_CASE("minimap: the window and its edges can be dragged") {
  Minimap minimap;
  minimap.window_x0 = 100;
  minimap.window_x1 = 200;
  CHECK(minimap_grip(minimap, 150, 5) == MinimapGrip::Window);
  CHECK(minimap_grip(minimap, 97, 5) == MinimapGrip::Begin);
  CHECK(minimap_grip(minimap, 103, 5) == MinimapGrip::Begin);
  CHECK(minimap_grip(minimap, 204, 5) == MinimapGrip::End);
  CHECK(minimap_grip(minimap, 300, 5) == MinimapGrip::Beside);
  minimap.window_x1 = 102;  // narrow, but still movable
  CHECK(minimap_grip(minimap, 101, 5) == MinimapGrip::Window);
  CHECK(minimap_grip(minimap, 97, 5) == MinimapGrip::Begin);
  CHECK(minimap_grip(minimap, 105, 5) == MinimapGrip::End);
  constexpr TimeRange kAll{0, 10'000};
  const Viewport grabbed{2'000, 1'000};
  CHECK(dragged_window(grabbed, MinimapGrip::Window, 2'300, 4'300, kAll) == Viewport{4'000, 1'000});
  CHECK(dragged_window(grabbed, MinimapGrip::Begin, 2'000, 1'500, kAll) == Viewport{1'500, 1'500});
  CHECK(dragged_window(grabbed, MinimapGrip::End, 3'000, 5'000, kAll) == Viewport{2'000, 3'000});
  CHECK(dragged_window(grabbed, MinimapGrip::Beside, 8'000, 8'000, kAll) == Viewport{7'500, 1'000});
  CHECK(dragged_window(grabbed, MinimapGrip::End, 3'000, 1'000, kAll).span == kMinSpanNs);  // an edge stops at the other one
}

TEST_CASE("minimap: hits are marked where they begin, at every width") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).slice("t", 0, 1'000'000, "step").slice("t", 500'000, 10, "call").slice("t", 999'999, 1, "call");
  const Snapshot snapshot = snapshot_of(sketch.build());
  const Palette palette(snapshot.trace->labels, ThemeKind::Dark);
  const HitSpread spread = SearchHits(*snapshot.trace, find_labels(snapshot.trace->labels, "call"), nullptr, test_pool()).spread();
  CHECK(spread.hits == 2);
  for (const std::uint32_t width : {1u, 2u, 7u, 200u, 2048u, 5'000u}) {
    CAPTURE(width);
    Minimap minimap;
    build_minimap(snapshot, snapshot.index->whole(), palette, {0, 10}, spread, width, minimap);
    REQUIRE(minimap.hits.size() == width);
    const auto last = static_cast<std::size_t>(minimap_x(*snapshot.trace, 999'990, width));
    CHECK(std::count(minimap.hits.begin(), minimap.hits.end(), true) == (width <= 2 ? 1 : 2));
    CHECK((minimap.hits[width / 2] || width > 2048));
    CHECK((minimap.hits[last] || width >= 2048));
  }
}

TEST_CASE("minimap: an empty trace has empty columns") {
  Minimap minimap;
  const Snapshot snapshot = snapshot_of(TraceSketch().build());
  build_minimap(snapshot, snapshot.index->whole(), Palette(), {0, 1'000}, {}, 10, minimap);
  CHECK(minimap.columns == std::vector<Rgba>(10, 0));
  CHECK(shown_extent(*snapshot.trace).length() == kMicrosecond);
}

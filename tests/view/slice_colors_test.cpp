#include "core/view/color/slice_colors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "core/store/segments/compose.h"
#include "core/view/color/slices_in_requests.h"
#include "tests/support/gen_gpu.h"

using namespace tv;
using namespace tv::test;

namespace {

// Two ranks, each with a CPU thread and a GPU stream. All slices end.
std::shared_ptr<const Trace> two_ranks() {
  TraceSketch sketch;
  for (const std::string rank : {"rank 2", "rank 10"}) {
    sketch.lane(rank + "t", cpu_thread(rank)).slice(rank + "t", 0, 5'000'000, "aten::mm", {}, "cpu_op");
    sketch.lane(rank + "s", gpu_stream(rank)).slice(rank + "s", 0, 2'000, "gemm", {}, "kernel");
    sketch.slice(rank + "s", 10'000, 70'000, "ncclDevKernel_AllReduce", {}, "kernel");
    sketch.slice(rank + "s", 100'000, 900, "Memcpy HtoD", {}, "gpu_memcpy");
  }
  return sketch.build();
}

struct Found {
  std::string name;
  Rgba fill;
};
Found class_of(const Trace& trace, const SliceColors& colors, std::string_view slice,
               std::string_view rank = "rank 2") {
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const LabelId label = trace.slices.label[i];
    const LaneId lane = trace.row(trace.row_of(id_at<SliceId>(i))).lane;
    if (trace.labels.name(label) != slice || (!rank.empty() && trace.path_of(lane)[0] != rank)) continue;
    const ColorClass& look = colors.look(colors.of(id_at<SliceId>(i), label, lane));
    return {look.name, look.fill};
  }
  return {"no such slice", 0};
}

// The same as TurnFinder::turn_of, by a walk through all turns.
std::int32_t walked_turn(const Trace& trace, const Rollout& rollout, SliceId slice) {
  const std::string_view category = trace.labels.category(trace.label_of(slice));
  const bool leads_to = category == "engine" || trace.name_of(slice) == "turn_pre_process";
  if (!leads_to && category != "tool" && category != "turn") return -1;
  std::int32_t last = -1;
  for (const RolloutTurn& turn : rollout.turns_of(0)) {
    if (turn.engine_end < 0) continue;
    if (leads_to && turn.engine_end + kMicrosecond >= trace.end_of(slice)) return turn.turn;
    if (!leads_to && turn.engine_end > trace.begin_of(slice) + kMicrosecond) break;
    last = turn.turn;
  }
  return leads_to ? -1 : last;
}

}  // namespace

TEST_CASE("slice_colors: slices are coloured by category, phase or worker") {
  const auto trace = two_ranks();
  for (const ThemeKind theme : {ThemeKind::Dark, ThemeKind::Light}) {
    const SliceColors category(trace, nullptr, ColorRule::Category, theme);
    CHECK(class_of(*trace, category, "gemm").name == "kernel");
    CHECK(class_of(*trace, category, "gemm").fill ==
          class_of(*trace, category, "ncclDevKernel_AllReduce", "rank 10").fill);
    CHECK(class_of(*trace, category, "gemm").fill != class_of(*trace, category, "aten::mm").fill);
    const SliceColors phase(trace, nullptr, ColorRule::Phase, theme);
    CHECK(class_of(*trace, phase, "gemm").name == "computing");
    CHECK(class_of(*trace, phase, "ncclDevKernel_AllReduce").name == "communication");
    CHECK(class_of(*trace, phase, "Memcpy HtoD").name == "copies");
    CHECK(class_of(*trace, phase, "aten::mm").name == "operators");
    const SliceColors worker(trace, nullptr, ColorRule::Worker, theme);
    REQUIRE(worker.legend().size() == 2);
    CHECK(worker.legend()[0].name == "rank 2");  // sorted by number: 2 before 10
    CHECK(class_of(*trace, worker, "gemm", "rank 10").name == "rank 10");
    CHECK(class_of(*trace, worker, "aten::mm", "rank 10").fill == class_of(*trace, worker, "gemm", "rank 10").fill);
    CHECK(class_of(*trace, worker, "gemm").fill != class_of(*trace, worker, "gemm", "rank 10").fill);
    CHECK(worker.look(worker.of_summary(LabelId{0}, id_at<LaneId>(0))).name == "rank 2");
  }
}

TEST_CASE("turn_finder: slices have the turns that a walk through all turns finds, in whatever order these ended") {
  constexpr const char* kCategories[] = {"engine", "tool", "turn", "request"};
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    Random random(seed);
    TraceSketch sketch;
    sketch.lane("t", RowRule::Nest);
    for (int s = 0; s < 60; ++s) {
      const std::string_view name = random.chance(0.3) ? "turn_pre_process" : "work";
      sketch.slice("t", random.in(0, 400) * kMicrosecond, random.in(1, 90) * kMicrosecond, name, {}, random.one_of(kCategories));
    }
    const auto trace = std::const_pointer_cast<Trace>(sketch.build());  // only for its log, which a sketch cannot have
    RolloutRequest request;
    request.turn_count = static_cast<std::uint32_t>(random.in(0, 12));
    for (std::uint32_t t = 0; t < request.turn_count; ++t) {
      RolloutTurn turn;
      turn.turn = static_cast<std::int32_t>(t);
      // Half of the logs are in order.
      const Ns end = seed % 2 == 0 ? t * 40 : random.in(0, 500);
      turn.engine_end = random.chance(0.2) ? -1 : end * kMicrosecond;
      trace->rollout.turns.push_back(turn);
    }
    trace->rollout.requests.push_back(request);
    Rollout rollout;
    rollout.trace = trace;
    rollout.row.push_back(0);
    TurnFinder finder(rollout);
    for (const SliceId slice : trace->ids()) CHECK(finder.turn_of(slice, trace->label_of(slice), 0) == walked_turn(*trace, rollout, slice));
  }
}

TEST_CASE("slice_colors: durations are grouped in steps, and longer ones are lighter") {
  const auto trace = two_ranks();
  const SliceColors colors(trace, nullptr, ColorRule::Duration, ThemeKind::Dark);
  CHECK(colors.legend().size() >= 4);
  CHECK(colors.legend().size() <= 9);
  CHECK(colors.legend().front().name.starts_with("< "));
  CHECK(colors.legend().back().name == "longer");
  const auto step = [&](std::string_view name) {
    return std::ranges::find(colors.legend(), class_of(*trace, colors, name).name, &ColorClass::name) -
           colors.legend().begin();
  };
  CHECK(step("Memcpy HtoD") < step("gemm"));
  CHECK(step("gemm") < step("ncclDevKernel_AllReduce"));
  CHECK(step("ncclDevKernel_AllReduce") < step("aten::mm"));
  double before = 0;
  for (const ColorClass& each : colors.legend()) {
    CHECK(contrast(each.fill, rgba(0, 0, 0)) > before);
    before = contrast(each.fill, rgba(0, 0, 0));
  }
}

TEST_CASE("slice_colors: colouring by status is offered if some slices never ended") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 100, "done").half("t", HalfEvent::Kind::Begin, 200, "open");
  const auto trace = sketch.build();
  const SliceColors colors(trace, nullptr, ColorRule::Status, ThemeKind::Dark);
  REQUIRE(colors.legend().size() == 2);
  CHECK(class_of(*trace, colors, "done", "").name == "finished");
  CHECK(class_of(*trace, colors, "open", "").name == "never ended");
  const auto offered = offered_rules(*trace, nullptr);
  CHECK(std::ranges::find(offered, ColorRule::Status) != offered.end());
}

TEST_CASE("slice_colors: unfinished slices are looked for once per segment, and only open segments are kept") {
  const auto segment = [](const std::string& lane, bool ended) {
    TraceSketch sketch;
    sketch.lane(lane, RowRule::Nest).slice(lane, 0, 100, "done");
    if (!ended) sketch.half(lane, HalfEvent::Kind::Begin, 200, "open");
    return sketch.build();
  };
  const auto a = segment("a", true), b = segment("b", false), c = segment("c", true);
  SegmentFlags flags;
  const auto by_status = [&](const Segments& segments) {
    const auto offered = offered_rules(*compose(segments).value(), nullptr, &flags);
    return std::ranges::find(offered, ColorRule::Status) != offered.end();
  };
  CHECK_FALSE(by_status({a, c}));
  CHECK(flags.size() == 2);
  CHECK(by_status({a, b, c}));
  CHECK(flags.size() == 3);
  CHECK(flags.at(b) != 0);
  // Flags of known segments are not computed again.
  flags.at(a) = kUnfinished;
  CHECK(by_status({a, c}));
  CHECK(flags.size() == 2);
  const SliceColors colors(compose(Segments{a, b}).value(), nullptr, ColorRule::Status, ThemeKind::Dark, {}, &flags);
  CHECK(flags.size() == 2);
  CHECK(flags.contains(b));
  CHECK(flags.at(a) == kUnfinished);
}

TEST_CASE("slice_colors: only rules that distinguish slices of the trace are offered") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest).slice("t", 0, 100).slice("t", 200, 100);
  CHECK(offered_rules(*sketch.build(), nullptr) == std::vector<ColorRule>{ColorRule::Name});
  CHECK(offered_rules(*two_ranks(), nullptr) == std::vector<ColorRule>{ColorRule::Name, ColorRule::Category,
                                                                       ColorRule::Phase, ColorRule::Worker,
                                                                       ColorRule::Duration});
}

TEST_CASE("slice_colors: legend colours are distinct with readable text, and every slice has a class") {
  for (const std::uint64_t seed : seeds(20)) {
    CAPTURE(seed);
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    for (std::size_t r = 1; r < kColorRules; ++r) {
      const auto rule = static_cast<ColorRule>(r);
      CAPTURE(std::string(name(rule)));
      CHECK(color_rule(name(rule)) == rule);
      for (const ThemeKind theme : {ThemeKind::Dark, ThemeKind::Light}) {
        const SliceColors colors(trace, nullptr, rule, theme);
        std::set<Rgba> fills;
        for (const ColorClass& each : colors.legend()) {
          fills.insert(each.fill);
          CHECK(contrast(each.fill, each.text) >= 4.5);
        }
        CHECK(fills.size() == colors.legend().size());
        for (std::size_t s = 0; s < trace->slices.size(); s += 7) {
          const LaneId lane = trace->row(trace->row_of(id_at<SliceId>(s))).lane;
          CHECK(!colors.look(colors.of(id_at<SliceId>(s), trace->slices.label[s], lane)).name.empty());
        }
      }
    }
  }
}

// Files that continue others, joined with their segment: the result is the same as building all at once.
#include "core/store/segments/one_segment.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <tuple>

#include "core/store/trace/row_layout.h"
#include "tests/support/gen_segments.h"
#include "tests/support/golden.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

// Null if `after` does not continue `before`.
std::shared_ptr<const Trace> joined_after(const std::shared_ptr<const Trace>& before, const std::shared_ptr<const Trace>& after) {
  return goes_on_after(*before, *after) ? joined(before, after, test_pool()) : nullptr;
}

// Logs like rollouts: the same lanes in each, one of them packed, and nothing continues from one file to the next.
SourceView step_of(std::uint64_t seed, int step, const std::function<void(TraceSketch&, Ns at)>& add = {}) {
  Random random(seed * 131 + static_cast<std::uint64_t>(step));
  TraceSketch sketch;
  const LaneSpec phases{{{"run"}, {"worker 0"}, {"phases"}}, LaneKind::Phases, RowRule::Nest, 2 * kMillisecond};
  const LaneSpec requests{{{"run"}, {"worker 0"}, {"requests"}}, LaneKind::Requests, RowRule::Pack, 2 * kMillisecond};
  sketch.lane("phases", phases).lane("requests", requests).lane("thread", RowRule::Nest);
  const auto some = [&] { return random.in(0, 100) * kMillisecond; };
  for (int i = 0; i < random.in(0, 12); ++i) {
    const Ns begin = some(), length = random.chance(0.1) ? kOpenEnd : some();
    const std::string name = "turn " + std::to_string(random.in(0, 5 + step));
    sketch.slice("requests", begin, length, name, "request " + std::to_string(random.in(0, 9)));
    if (random.chance(0.5)) sketch.slice("phases", some(), some(), "phase");
    if (random.chance(0.3)) sketch.slice("thread", i * 10 * kMillisecond, 9 * kMillisecond, "call");
    if (random.chance(0.2)) sketch.instant(random.chance(0.5) ? "phases" : "requests", some());
    if (random.chance(0.1)) sketch.next_batch();
  }
  if (random.chance(0.5)) sketch.lane("only " + std::to_string(step), RowRule::Nest).slice("only " + std::to_string(step), 5, 7);
  if (add) add(sketch, 0);
  SourceView view = sketch.view();
  view.info.path = "run/step_" + std::to_string(step) + "/worker_0.jsonl";
  view.clock_base = {kYear2001 + step * kSecond};
  return view;
}

std::shared_ptr<const Trace> built_of(std::uint64_t seed, int first, int last) {
  std::vector<SourceView> views;
  for (int step = first; step < last; ++step) views.push_back(step_of(seed, step));
  return built(std::move(views));
}

// Removes what could continue in the next file: no arrows, and the counter ends at 0.
SourceView ended(SourceView view) {
  StoredBatch* with_last = nullptr;
  CounterSample last{0, std::numeric_limits<Ns>::min(), 0};
  for (StoredBatch& batch : view.batches) {
    for (const CounterSample& sample : batch.rest->samples) {
      if (sample.time >= last.time) last = {sample.track, sample.time + 1, 0}, with_last = &batch;
    }
  }
  for (StoredBatch& batch : view.batches) {
    EventBatch rest;
    rest.halves = batch.rest->halves;
    rest.instants = batch.rest->instants;
    rest.samples = batch.rest->samples;
    if (&batch == with_last) rest.samples.push_back(last);
    batch.rest = std::make_shared<const BatchRest>(std::move(rest));
  }
  return view;
}

void check_same(const Trace& one, const Trace& all) {
  REQUIRE(check_invariants(one) == "");
  REQUIRE(first_difference(trace_text(all), trace_text(one)) == "");
  CHECK(one.extent == all.extent);
  CHECK(one.work == all.work);
  CHECK(one.origin_ns == all.origin_ns);
  CHECK(one.slice_count == all.slice_count);
  CHECK(one.instant_count == all.instant_count);
  CHECK(one.sample_count == all.sample_count);
  REQUIRE(one.lanes.size() == all.lanes.size());
  for (std::size_t l = 0; l < all.lanes.size(); ++l) {
    const Lane &a = one.lanes[l], &b = all.lanes[l];
    CHECK(a.busy == b.busy);
    CHECK(a.overlaps == b.overlaps);
    CHECK(a.slices == b.slices);
    CHECK(a.extent == b.extent);
    CHECK(a.nest_tolerance == b.nest_tolerance);
    CHECK(a.kind == b.kind);
    CHECK(a.first_row == b.first_row);
    CHECK(a.row_count == b.row_count);
    if (a.overlaps > 0) CHECK(a.first_overlap_in == b.first_overlap_in);
  }
  REQUIRE(one.rows.size() == all.rows.size());
  for (std::size_t r = 0; r < all.rows.size(); ++r) {
    const Row &a = one.rows[r], &b = all.rows[r];
    CHECK(std::tuple(a.lane, a.kind, a.depth, a.slot, a.count, a.first) == std::tuple(b.lane, b.kind, b.depth, b.slot, b.count, b.first));
  }
  CHECK(std::ranges::equal(one.slices.label, all.slices.label));
  CHECK(std::ranges::equal(one.slices.ref, all.slices.ref));
  REQUIRE(one.sources.size() == all.sources.size());
  for (std::size_t s = 0; s < all.sources.size(); ++s) {
    CHECK(one.sources[s].path == all.sources[s].path);
    CHECK(one.sources[s].shift == all.sources[s].shift);
    CHECK(one.sources[s].extent == all.sources[s].extent);
    CHECK(one.sources[s].work == all.sources[s].work);
    CHECK(one.sources[s].slices == all.sources[s].slices);
  }
}

}  // namespace

TEST_CASE("one_segment: steps joined one by one equal all of them built at once, however they are divided") {
  std::size_t joins = 0;
  for (const std::uint64_t seed : seeds(200)) {
    CAPTURE(seed);
    Random random(seed);
    const int steps = static_cast<int>(random.in(2, 6));
    std::shared_ptr<const Trace> grown;
    for (int first = 0; first < steps;) {
      const int last = static_cast<int>(random.in(first + 1, steps));
      auto after = built_of(seed, first, last);
      grown = grown ? joined_after(grown, after) : after;
      joins += grown && first > 0 ? 1 : 0;
      if (!grown) break;
      first = last;
    }
    if (grown) check_same(*grown, *built_of(seed, 0, steps));
  }
  if (seeds(200).size() > 1) CHECK(joins > seeds(200).size() / 2);
}

TEST_CASE("one_segment: traces of any shape are joined only if the result equals building all at once") {
  std::size_t joins = 0;
  const std::vector<std::uint64_t> all_seeds = seeds(400);
  for (const std::uint64_t seed : all_seeds) {
    CAPTURE(seed);
    const auto source = [&](std::size_t number) {
      SourceView view = ended(numbered_source(seed, number, true));
      view.clock_base = {kYear2001 + static_cast<Ns>(number) * kInRuns};
      return view;
    };
    const auto one = joined_after(built({source(0)}), built({source(1)}));
    if (!one) continue;
    ++joins;
    check_same(*one, *built({source(0), source(1)}));
  }
  if (all_seeds.size() > 1) CHECK(joins > all_seeds.size() / 20);
}

TEST_CASE("one_segment: files are not joined if something continues from one to the next") {
  const auto after_first = [](const std::function<void(TraceSketch&, Ns)>& first, const std::function<void(TraceSketch&, Ns)>& second) {
    return joined_after(built({step_of(1, 0, first)}), built({step_of(1, 1, second)})) != nullptr;
  };
  const auto nothing = [](TraceSketch&, Ns) {};
  CHECK(after_first(nothing, nothing));
  const auto overlapping = [](TraceSketch& sketch, Ns) { sketch.slice("thread", 200 * kMillisecond, 50, "a").slice("thread", 200 * kMillisecond + 20, 50, "b"); };
  CHECK_FALSE(after_first(overlapping, nothing));
  CHECK_FALSE(after_first(nothing, overlapping));
  const auto long_one = [](TraceSketch& sketch, Ns) { sketch.slice("requests", 0, 2 * kSecond, "long"); };
  CHECK_FALSE(after_first(long_one, nothing));
  const auto value = [](double last) {
    return [last](TraceSketch& sketch, Ns) { sketch.lane("n", LaneSpec{{{"run"}, {"n"}}, LaneKind::Counter}).sample("n", 5, 3).sample("n", 9, last); };
  };
  CHECK(after_first(value(0), value(7)));
  CHECK_FALSE(after_first(value(1), value(7)));
  const auto arrow = [](TraceSketch& sketch, Ns) {
    sketch.slice("thread", 300 * kMillisecond, 5, "a").record_flow("thread", FlowPoint::Kind::Start, "k");
    sketch.slice("thread", 310 * kMillisecond, 5, "b").record_flow("thread", FlowPoint::Kind::End, "k");
  };
  CHECK_FALSE(after_first(arrow, nothing));
}

TEST_CASE("one_segment: a lane with more open slices than a stack can hold is joined as if laid out at once") {
  for (const int open : {static_cast<int>(kMaxOpen) - 2, static_cast<int>(kMaxOpen) + 8}) {
    CAPTURE(open);
    const auto many = [&](TraceSketch& sketch, Ns) {
      for (int i = 0; i < open; ++i) sketch.slice("many", i, 1000, "m");
    };
    const auto nested = [](TraceSketch& sketch, Ns) { sketch.slice("many", 0, 100, "outer").slice("many", 5, 10, "inner"); };
    const auto lane = [](const auto& add, RowRule rule) {
      return [&add, rule](TraceSketch& sketch, Ns at) {
        sketch.lane("many", LaneSpec{{{"run"}, {"many"}}, LaneKind::Async, rule});
        add(sketch, at);
      };
    };
    for (const RowRule rule : {RowRule::Nest, RowRule::Pack}) {
      CAPTURE(static_cast<int>(rule));
      const auto check = [&](const auto& first, const auto& second) {
        const SourceView before = step_of(3, 0, lane(first, rule)), after = step_of(3, 1, lane(second, rule));
        if (const auto one = joined_after(built({before}), built({after}))) check_same(*one, *built({before, after}));
      };
      check(many, nested);
      check(nested, many);
      check(many, many);
    }
  }
}

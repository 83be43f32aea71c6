#include "core/index/counter_scales.h"

#include <doctest/doctest.h>

#include "core/index/snapshot.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("counter_kind: numbers of instances are ignored, and other numbers are kept") {
  CHECK(counter_kind("GPU 3 Power") == "gpu # power");
  CHECK(counter_kind("gpu12 power") == "gpu# power");
  CHECK(counter_kind("power (rank_7)") == "power (rank_#)");
  CHECK(counter_kind("requests in flight") == "requests in flight");
  CHECK(counter_kind("L1 misses") != counter_kind("L2 misses"));
  CHECK(counter_kind("p50") != counter_kind("p99"));
  CHECK(counter_kind("7") == "7");
  // A word that only ends like the word for an instance is a different word, whatever the letter before.
  for (const char* word : {"zhost 3", "ahost 3", "ghost 3", "jazzstream_3"}) CHECK(counter_kind(word) == word);
}

TEST_CASE("counter_scales: lanes of one kind share a scale, and others have their own") {
  TraceSketch sketch;
  const auto counter = [&](const std::string& group, const std::string& name, std::vector<double> values) {
    LaneSpec spec;
    spec.path = {{group}, {name}};
    spec.kind = LaneKind::Counter;
    sketch.lane(group + name, spec);
    Ns t = 0;
    for (const double value : values) sketch.sample(group + name, t += 10, value);
  };
  counter("worker 0", "in flight", {1, 3, 0});
  counter("worker 1", "in flight", {7, 300, 0});
  counter("worker 1", "balance", {-5, 2});
  counter("host", "GPU 0 power", {10, 20});
  counter("host", "GPU 1 power", {-1, 15});
  counter("host", "limit", {4, 9});
  const Snapshot snapshot = snapshot_of(sketch.build());
  const auto of = [&](std::string_view group, std::string_view name) {
    for (std::size_t c = 0; c < snapshot.trace->counters.size(); ++c) {
      const auto path = snapshot.trace->path_of(snapshot.trace->counters[c].lane);
      if (path[path.size() - 2] == group && path.back() == name) return snapshot.index->scale(c);
    }
    REQUIRE_MESSAGE(false, "no such counter");
    return CounterScale{};
  };
  for (const char* worker : {"worker 0", "worker 1"}) {
    CHECK(of(worker, "in flight").range == ValueRange{0, 300});
    CHECK(of(worker, "in flight").lanes == 2);
  }
  CHECK(of("worker 1", "balance").range == ValueRange{-5, 2});
  CHECK(of("worker 1", "balance").lanes == 1);
  CHECK(of("host", "GPU 0 power").range == ValueRange{-1, 20});
  CHECK(of("host", "GPU 1 power").range == ValueRange{-1, 20});
  CHECK(of("host", "limit").range == ValueRange{0, 9});
}

TEST_CASE("counter_text: shows the value, and the range of its scale where lanes share one") {
  TraceSketch sketch;
  for (const char* group : {"a", "b"}) {
    LaneSpec spec;
    spec.path = {{group}, {"n"}};
    spec.kind = LaneKind::Counter;
    sketch.lane(group, spec).sample(group, 0, group[0] == 'a' ? 2 : 40);
  }
  const auto trace = sketch.build();
  const auto scales = counter_scales(*trace);
  CHECK(counter_text(*trace, 0, scales[0], 2) == "n: 2 (0 .. 40 for 2 lanes, 2 .. 2 here)");
  CHECK(counter_text(*trace, 0, {{0, 2}, 1}, 2) == "n: 2");
}

#include "core/query/hit_spread.h"
#include "core/query/search.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/query/find_slice.h"
#include "core/store/trace_builder.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("find_labels: part of the name, in either case") {
  LabelTable labels;
  const LabelId gemm = labels.intern("kernel", "void Gemm_128x64"), other = labels.intern("gemm", "relu");
  CHECK(find_labels(labels, "gEMM").contains(gemm));
  CHECK_FALSE(find_labels(labels, "gEMM").contains(other));  // the category is no part of it
  CHECK(find_labels(labels, "").empty());
  CHECK(find_labels(labels, "nothing").size() == 0);
}

TEST_CASE("search: hits in order, as a scan finds them") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    const LabelSet labels = find_labels(trace->labels, seed % 2 == 0 ? "e" : "NCCL");
    std::vector<SliceId> hits;
    for (std::size_t i = 0; i < trace->slices.size(); ++i) {
      if (!labels.empty() && labels.contains(trace->slices.label[i])) hits.push_back(id_at<SliceId>(i));
    }
    const auto& begin = trace->slices.begin;
    std::stable_sort(hits.begin(), hits.end(),
                     [&](SliceId a, SliceId b) { return begin[idx(a)] < begin[idx(b)]; });
    const HitSpread spread = hit_spread(*trace, labels, test_pool());
    REQUIRE(spread.hits == hits.size());
    REQUIRE(spread.any == hit_spread(*trace, hits).any);
    Random random(seed);
    for (int i = 0; i < 20 && !hits.empty(); ++i) {
      const std::size_t at = random.next() % hits.size();
      const auto next = at + 1 < hits.size() ? std::optional(hits[at + 1]) : std::nullopt;
      const auto previous = at > 0 ? std::optional(hits[at - 1]) : std::nullopt;
      REQUIRE(next_hit(*trace, labels, hits[at]) == next);
      REQUIRE(previous_hit(*trace, labels, hits[at]) == previous);

      const Ns t = begin[idx(hits[at])];
      const auto first_at = std::lower_bound(hits.begin(), hits.end(), t,
                                             [&](SliceId hit, Ns time) { return begin[idx(hit)] < time; });
      REQUIRE(next_hit(*trace, labels, t) == *first_at);
      REQUIRE(previous_hit(*trace, labels, t) ==
              (first_at == hits.begin() ? std::nullopt : std::optional(first_at[-1])));
    }
  }
}

TEST_CASE("find_slice: every slice is found again in a trace that has grown") {
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    const TraceSketch sketch = gen_trace(seed, shape_of(seed));
    TraceSketch earlier;
    earlier.lane("earlier", RowRule::Nest).slice("earlier", -5'000, 10, "first");
    const auto before = sketch.build();
    const auto after = build_trace({sketch.view(), earlier.view()}, test_pool());
    Random random(seed);
    for (int i = 0; i < 30 && before->slices.size() > 0; ++i) {
      const SliceId slice = id_at<SliceId>(random.next() % before->slices.size());
      const SliceKey key = key_of(*before, slice);
      const auto found = find_slice(*after, key);
      REQUIRE(found);
      REQUIRE(key_of(*after, *found) == key);
    }
  }
}

TEST_CASE("find_slice: also when the clock of its source has become known; not when it is gone") {
  TraceSketch sketch;
  sketch.slice("t", 100, 10, "a").slice("t", 200, 10, "b");
  SourceView later = sketch.view();
  later.clock_base = 1'000'000;
  const auto before = sketch.build(), after = build_trace({later}, test_pool());
  SliceKey key = key_of(*before, id_at<SliceId>(1));
  CHECK(find_slice(*after, key) == id_at<SliceId>(1));
  key.name = "c";
  CHECK(find_slice(*after, key) == std::nullopt);
}

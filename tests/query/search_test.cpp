#include "core/query/search/search_hits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

#include "core/query/find_slice.h"
#include "core/store/trace/trace_builder.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("find_labels: part of a name matches, ignoring case") {
  LabelTable labels;
  const LabelId gemm = labels.intern("kernel", "void Gemm_128x64"), other = labels.intern("gemm", "relu");
  CHECK(find_labels(labels, "gEMM").contains(gemm));
  CHECK_FALSE(find_labels(labels, "gEMM").contains(other));  // the category is not searched
  CHECK(find_labels(labels, "").empty());
  CHECK(find_labels(labels, "nothing").size() == 0);
}

namespace {

// Hits found by a scan of all slices, in order.
std::vector<SliceId> naive_hits(const Trace& trace, const LabelSet& labels, const HitArea* area) {
  std::vector<SliceId> hits;
  for (const Row& row : trace.rows) {
    bool counts = !area || area->lanes.empty();
    for (const LaneId lane : area ? area->lanes : std::vector<LaneId>())
      counts |= row.lane >= lane && row.lane < trace.lane(lane).subtree_end;
    for (std::size_t i = row.first; counts && i < row.first + row.count; ++i) {
      const Ns begin = trace.slices.begin[i], end = begin + trace.slices.duration[i];
      const bool touches = !area || (begin < area->time.end && (end > area->time.begin || begin == area->time.begin));
      if (touches && !labels.empty() && labels.contains(trace.slices.label[i])) hits.push_back(id_at<SliceId>(i));
    }
  }
  std::ranges::sort(hits, {}, [&](SliceId s) { return std::tuple(trace.begin_of(s), s); });
  return hits;
}

HitArea random_area(const Trace& trace, Random& random) {
  const Ns a = random.in(trace.extent.begin, trace.extent.end), b = random.in(trace.extent.begin, trace.extent.end);
  HitArea area{{std::min(a, b), std::max(a, b)}, {}};
  for (int i = 0; i < 3 && random.chance(0.6); ++i)
    area.lanes.push_back(id_at<LaneId>(random.next() % trace.lanes.size()));
  return area;
}

}  // namespace

TEST_CASE("search: ordered hits equal those of a scan, everywhere and in an area, with one or several threads") {
  ThreadPool one(1);
  for (const std::uint64_t seed : seeds(45)) {
    CAPTURE(seed);
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    if (trace->slices.size() == 0) continue;
    const auto pattern = NamePattern::of({seed % 3 == 0 ? "[aeiou]" : seed % 3 == 1 ? "e" : "NCCL", seed % 5 == 0, seed % 3 == 0});
    REQUIRE(pattern.ok());
    const LabelSet labels = find_labels(trace->labels, pattern.value(), test_pool());
    Random random(seed);
    const HitArea area = random_area(*trace, random);
    for (const HitArea* within : {static_cast<const HitArea*>(nullptr), &area}) {
      CAPTURE(within != nullptr);
      const std::vector<SliceId> naive = naive_hits(*trace, labels, within);
      const SearchHits hits(*trace, labels, within, test_pool());
      REQUIRE(hits.count() == naive.size());
      REQUIRE(hits.spread().any == hit_spread(*trace, naive).any);
      REQUIRE(hits_in_order(*trace, hits, SIZE_MAX) == naive);
      const std::size_t most = random.next() % (naive.size() + 2);
      REQUIRE(hits_in_order(*trace, hits, most) ==
              std::vector<SliceId>(naive.begin(), naive.begin() + static_cast<std::ptrdiff_t>(std::min(most, naive.size()))));
      REQUIRE(hits_in_order(*trace, SearchHits(*trace, labels, within, one), SIZE_MAX) == naive);
      REQUIRE(hits_in_order(*trace, SearchHits(*trace, naive_hits(*trace, labels, nullptr), within), SIZE_MAX) == naive);
      const auto& begin = trace->slices.begin;
      const auto end_of = [&](SliceId s) { return begin[idx(s)] + trace->duration_of(s); };
      for (int i = 0; i < 4; ++i) {
        // Any slice, hit or not.
        const SliceId from = id_at<SliceId>(random.next() % trace->slices.size());
        const auto place = [&](SliceId s) { return std::tuple(begin[idx(s)], s); };
        const auto at = std::ranges::lower_bound(naive, place(from), {}, place);
        const bool is_hit = at != naive.end() && *at == from;
        REQUIRE(hits.contains(from) == is_hit);
        REQUIRE(hits_before(*trace, hits, from) == static_cast<std::uint64_t>(at - naive.begin()));
        const auto after = at + (is_hit ? 1 : 0);
        REQUIRE(next_hit(*trace, hits, from) == (after == naive.end() ? std::nullopt : std::optional(*after)));
        REQUIRE(previous_hit(*trace, hits, from) == (at == naive.begin() ? std::nullopt : std::optional(at[-1])));

        const Ns t = random.in(trace->extent.begin, trace->extent.end);
        const auto reaching =
            std::ranges::find_if(naive, [&](SliceId s) { return end_of(s) > t || begin[idx(s)] >= t; });
        REQUIRE(first_hit_reaching(*trace, hits, t) == (reaching == naive.end() ? std::nullopt : std::optional(*reaching)));
        const auto later = std::ranges::find_if(naive, [&](SliceId s) { return begin[idx(s)] >= t; });
        REQUIRE(last_hit_before(*trace, hits, t) == (later == naive.begin() ? std::nullopt : std::optional(later[-1])));
      }
      REQUIRE(first_hit(*trace, hits) == (naive.empty() ? std::nullopt : std::optional(naive.front())));
      REQUIRE(last_hit(*trace, hits) == (naive.empty() ? std::nullopt : std::optional(naive.back())));
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

TEST_CASE("find_slice: a slice is found after its source's clock became known, and an unknown name is not") {
  TraceSketch sketch;
  sketch.slice("t", 100, 10, "a").slice("t", 200, 10, "b");
  SourceView later = sketch.view();
  later.clock_base = {1'000'000};
  const auto before = sketch.build(), after = build_trace({later}, test_pool());
  SliceKey key = key_of(*before, id_at<SliceId>(1));
  CHECK(find_slice(*after, key) == id_at<SliceId>(1));
  key.name = "c";
  CHECK(find_slice(*after, key) == std::nullopt);
}

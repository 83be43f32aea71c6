// Durations of a name against a plain scan that checks every slice of the trace.
#include "core/analysis/statistics/durations.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/analysis/statistics/histogram.h"
#include "core/analysis/statistics/summary.h"
#include "core/query/range_stats.h"
#include "tests/support/gen_trace.h"
#include "tests/support/oracles.h"

using namespace tv;
using namespace tv::test;

namespace {

bool counts_under(const Trace& trace, LabelId a, LabelId b) {
  return trace.labels.category(a) == trace.labels.category(b) &&
         counted_name(trace.labels, a) == counted_name(trace.labels, b) &&
         (a == b || counted_name(trace.labels, a).data() != trace.labels.name(a).data());
}

// Lengths with their slices, shortest first.
std::vector<SliceLength> scan(const Trace& trace, LabelId label, const std::optional<Scope>& scope,
                              const std::vector<bool>& in) {
  std::vector<SliceLength> out;
  for (std::size_t s = 0; s < trace.slices.size(); ++s) {
    const Row& row = trace.row(trace.row_of(id_at<SliceId>(s)));
    const Ns begin = trace.slices.begin[s], duration = trace.slices.duration[s], end = begin + duration;
    if (row.kind != RowKind::Slices || !in[idx(row.lane)] || trace.slices.ref[s].is(kUnfinished)) continue;
    if (!counts_under(trace, trace.slices.label[s], label)) continue;
    if (scope &&
        !(begin < scope->range.end && (end > scope->range.begin || (duration == 0 && begin == scope->range.begin)))) {
      continue;
    }
    out.push_back({duration, id_at<SliceId>(s)});
  }
  std::ranges::sort(out);
  return out;
}

TraceSketch two_ranks() {
  TraceSketch sketch;
  LaneSpec spec;
  spec.rule = RowRule::Nest;
  for (const char* const rank : {"rank 0", "rank 1"}) {
    spec.path = {{rank}, {"stream 7"}};
    sketch.lane(std::string(rank) + " a", spec);
    spec.path = {{rank}, {"stream 8"}};
    sketch.lane(std::string(rank) + " b", spec);
  }
  return sketch;
}

}  // namespace

TEST_CASE("durations: lengths, histograms and brushes match a plain scan in any scope") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    CAPTURE(name(shape_of(seed)));
    const auto trace = gen_trace(seed, shape_of(seed)).build();
    if (trace->slices.size() == 0) continue;
    Random random(seed);
    const LabelId label = trace->slices.label[random.next() % trace->slices.size()];
    std::optional<Scope> scope;
    if (random.chance(0.7)) {
      const Ns begin = random.in(0, trace->extent.end);
      scope = Scope{{begin, random.in(begin, trace->extent.end) + 1}};
      if (random.chance(0.5)) scope->lanes.push_back(id_at<LaneId>(random.next() % trace->lanes.size()));
    }
    const Durations found = durations(*trace, label, scope);
    std::vector<bool> in(trace->lanes.size(), true), wanted(trace->lanes.size(), false);
    for (const SliceLength& one : scan(*trace, label, {}, in))
      wanted[idx(trace->row(trace->row_of(one.slice)).lane)] = true;
    if (scope && !scope->lanes.empty()) {
      const LaneId lane = scope->lanes.front();
      bool any = false;
      for (std::size_t l = 0; l < in.size(); ++l) {
        in[l] = l >= idx(lane) && l < std::max(idx(trace->lane(lane).subtree_end), idx(lane) + 1);
        any |= in[l] && wanted[l];
      }
      if (found.on_lanes != any && found.unfinished == 0 && !found.all.empty()) CHECK(found.on_lanes == any);
      if (!found.on_lanes) in.assign(in.size(), true);
    }
    const std::vector<SliceLength> expected = scan(*trace, label, scope, in);
    REQUIRE(found.all == expected);
    std::vector<SliceLength> together;
    for (const DurationGroup& group : found.groups) {
      CHECK(std::ranges::is_sorted(group.lengths));
      CHECK(!group.lengths.empty());
      together.insert(together.end(), group.lengths.begin(), group.lengths.end());
    }
    std::ranges::sort(together);
    REQUIRE(together == expected);
    if (expected.empty()) continue;

    // Quantiles equal those of Statistics, and bins count the lengths between their edges.
    std::vector<Ns> lengths;
    std::vector<double> seconds;
    for (const SliceLength& one : expected) {
      lengths.push_back(one.duration);
      seconds.push_back(to_seconds(one.duration));
    }
    for (const double p : {0.5, 0.9, 0.99})
      CHECK(quantile(seconds, p) * 1e9 == doctest::Approx(percentile(lengths, p)).epsilon(1e-9));
    for (const bool log : {false, true}) {
      const Histogram made = histogram(seconds, static_cast<std::size_t>(random.in(5, 200)), log);
      std::vector<std::size_t> naive(made.count.size(), 0);
      std::size_t none = 0;
      for (const double s : seconds) {
        std::size_t bin = 0;
        while (bin + 1 < naive.size() && s >= made.edges[bin + 1]) ++bin;
        if (log && s <= 0) {
          ++none;
        } else {
          ++naive[bin];
        }
      }
      CHECK(made.not_positive == none);
      CHECK(made.count == naive);
      CHECK(counts_in(made.edges, seconds) == naive);
    }

    // A brush, and stepping through it from the slowest slice on.
    const Ns a = expected[random.next() % expected.size()].duration,
             b = expected[random.next() % expected.size()].duration;
    const BrushedSlices brushed = brushed_slices(found, {label, std::min(a, b), std::max(a, b)});
    std::vector<SliceLength> inside;
    Ns total = 0;
    for (const SliceLength& one : expected) {
      const bool is_in = one.duration >= std::min(a, b) && one.duration <= std::max(a, b);
      CHECK(brushed.contains(one.slice) == is_in);
      if (!is_in) continue;
      inside.push_back(one);
      total += one.duration;
    }
    CHECK(brushed.slices.size() == inside.size());
    CHECK(brushed.total == total);
    CHECK(brushed.name_count == expected.size());
    std::ranges::sort(inside, [](const SliceLength& x, const SliceLength& y) {
      return x.duration != y.duration ? x.duration > y.duration : x.slice < y.slice;
    });
    SliceId at = kNone<SliceId>;
    for (std::size_t i = 0; i < std::min<std::size_t>(inside.size(), 20); ++i) {
      const auto next = next_slowest(*trace, brushed.slices, at, true);
      REQUIRE(next);
      REQUIRE(*next == inside[i].slice);
      if (i > 0) CHECK(next_slowest(*trace, brushed.slices, *next, false) == at);
      at = *next;
    }
    CHECK(!next_slowest(*trace, brushed.slices, inside.back().slice, true));
  }
}

TEST_CASE("durations: slices are grouped by rank, or by stream of one rank, and unfinished ones have no length") {
  TraceSketch sketch = two_ranks();
  sketch.slice("rank 0 a", 0, 10, "gemm").slice("rank 0 b", 0, 30, "gemm").slice("rank 1 a", 5, 20, "gemm");
  sketch.slice("rank 1 b", 100, kOpenEnd, "gemm").slice("rank 0 a", 50, 7, "own").slice("rank 0 b", 50, 9, "own");
  sketch.instant("rank 0 a", 70, "gemm");
  const auto trace = sketch.build();
  const auto gemm = label_of_text(*trace, "gemm");
  REQUIRE(gemm);
  const Durations ranks = durations(*trace, *gemm);
  REQUIRE(ranks.groups.size() == 2);
  CHECK(ranks.groups[0].name == "rank 0");
  CHECK(ranks.groups[0].lengths.size() == 2);
  CHECK(ranks.groups[1].name == "rank 1");
  CHECK(ranks.unfinished == 1);
  CHECK(ranks.all.size() == 3);
  const Durations streams = durations(*trace, *label_of_text(*trace, "OW"));  // a substring of "own", case-insensitive
  REQUIRE(streams.groups.size() == 2);
  CHECK(streams.groups[0].name == "stream 7");
  CHECK(streams.groups[1].name == "stream 8");
  CHECK(!label_of_text(*trace, "nothing of that kind"));

  // For an area without this name, the whole trace counts, and the result says so.
  const Durations beside = durations_or_all(*trace, *gemm, Scope{{60, 65}});
  CHECK(!beside.in_scope);
  CHECK(beside.all == ranks.all);
  // An area's lanes apply only if they have the name.
  const LaneId rank1 = trace->lane(trace->row(trace->row_of(ranks.groups[1].lengths[0].slice)).lane).parent;
  CHECK(durations(*trace, *gemm, Scope{{0, 50}, {rank1}}).all.size() == 1);
  CHECK(!durations(*trace, streams.label, Scope{{0, 60}, {rank1}}).on_lanes);
}

TEST_CASE("durations: the leading name is one that repeats, and a kernel if there are any") {
  TraceSketch sketch;
  LaneSpec spec;
  spec.rule = RowRule::Nest;
  spec.path = {{"t"}};
  sketch.lane("t", spec);
  sketch.slice("t", 0, 1000, "once")
      .slice("t", 10, 100, "often")
      .slice("t", 200, 90, "often")
      .slice("t", 300, 5, "seldom");
  sketch.slice("t", 310, 5, "seldom");
  auto trace = sketch.build();
  CHECK(trace->labels.name(*leading_name(*trace)) == "often");
  CHECK(trace->labels.name(*leading_name(*trace, Scope{{290, 400}})) == "seldom");
  sketch.slice("t", 400, 1, "gemm", {}, "kernel");
  trace = sketch.build();
  CHECK(trace->labels.name(*leading_name(*trace)) == "gemm");
}

TEST_CASE("durations: numbered names of one category count as one name") {
  TraceSketch sketch;
  sketch.lane("t", RowRule::Nest);
  sketch.slice("t", 0, 10, "forward_0", {}, "forward").slice("t", 20, 30, "forward_12", {}, "forward");
  sketch.slice("t", 60, 5, "forward", {}, "forward").slice("t", 70, 5, "forward_3", {}, "other");
  const auto trace = sketch.build();
  const Durations found = durations(*trace, *label_of_text(*trace, "forward_12"));
  CHECK(found.all.size() == 2);
}

TEST_CASE("durations: a stop request cancels the search") {
  const auto trace = gen_trace(1, Shape::Nested).build();
  std::stop_source stop;
  stop.request_stop();
  CHECK(durations(*trace, trace->slices.label[0], {}, stop.get_token()).cancelled);
}

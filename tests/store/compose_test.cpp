#include "core/store/segments/compose.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <tuple>

#include "core/analysis/clocks/clock_table.h"
#include "core/store/logs/table_bytes.h"
#include "core/store/segments/one_segment.h"
#include "tests/support/gen_collectives.h"
#include "tests/support/gen_segments.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

// Sorted, because arrows and reports come in the order of the segments.
std::vector<std::string> lines_of(const Trace& trace) {
  std::vector<std::string> lines;
  std::istringstream text(trace_text(trace));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  std::ranges::sort(lines);
  return lines;
}

using PlacedFact = std::tuple<std::string, Ns, Ns, std::string>;

std::vector<PlacedFact> placed_facts(const Trace& trace) {
  std::vector<PlacedFact> facts;
  for (const SliceId slice : trace.ids()) {
    facts.emplace_back(trace.lane(trace.row(trace.row_of(slice)).lane).name, trace.begin_of(slice) + trace.origin_ns,
                       trace.duration_of(slice), trace.name_of(slice));
  }
  std::ranges::sort(facts);
  return facts;
}

std::shared_ptr<const Trace> composed(const Segments& segments) {
  auto view = compose(segments);
  REQUIRE(view.ok());
  return view.value();
}

}  // namespace

TEST_CASE("compose: clocks of logs in different segments are not confused, even with equal numbers") {
  const auto log_with_clock = [](std::uint32_t unit, const std::string& path) {
    SourceView view = TraceSketch().slice("t", 0, 10).view();
    view.info.path = path;
    view.info.clock_fit.evidence = ClockEvidence::NoZone;
    view.info.clock_fit.unit = view.info.clock_fit.group = unit;
    return built({view});
  };
  const auto view = compose({log_with_clock(0, "a.log"), log_with_clock(1, "c.log"), log_with_clock(0, "old.log")}, PlaceBy::Recorded).value();
  CHECK(clock_table(*view).zones.size() == 3);
}

TEST_CASE("compose: segments in any order give the same trace as building all at once") {
  for (const std::uint64_t seed : seeds(120)) {
    CAPTURE(seed);
    const std::size_t sources = 2 + seed % 4;
    const auto all = all_at_once(seed, sources);
    const auto view = composed(segments_of(seed, sources));
    REQUIRE(check_invariants(*view) == "");
    CHECK(lines_of(*view) == lines_of(*all));
    CHECK(view->extent == all->extent);
    CHECK(view->work == all->work);
    CHECK(view->items() == all->items());
    REQUIRE(view->lanes.size() == all->lanes.size());
    for (std::size_t l = 0; l < view->lanes.size(); ++l) {
      CAPTURE(l);
      CHECK(view->lanes[l].busy == all->lanes[l].busy);
      CHECK(view->lanes[l].extent == all->lanes[l].extent);
      CHECK(view->lanes[l].slices == all->lanes[l].slices);
    }
  }
}

TEST_CASE("compose: a slice looked up by id equals the slice in its row") {
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    const auto view = composed(segments_of(seed, 3, seed % 2 == 0));
    for (std::size_t r = 0; r < view->rows.size(); ++r) {
      const RowSlices slices = view->slices_of(view->rows[r]);
      for (std::size_t i = 0; i < slices.size(); ++i) {
        const SliceId id = slices.id(i);
        REQUIRE(idx(view->row_of(id)) == r);
        REQUIRE(view->range_of(id) == slices.range(i));
        REQUIRE(view->label_of(id) == slices.label(i));
        REQUIRE(slices.position_of(id) == i);
      }
    }
  }
}

TEST_CASE("compose: lanes that several segments share equal those of building all at once") {
  for (const std::uint64_t seed : seeds(80)) {
    CAPTURE(seed);
    const auto all = all_at_once(seed, 3, true);
    const auto view = composed(segments_of(seed, 3, true));
    REQUIRE(check_invariants(*view) == "");
    CHECK(placed_facts(*view) == placed_facts(*all));
    REQUIRE(view->lanes.size() == all->lanes.size());
    for (std::size_t l = 0; l < view->lanes.size(); ++l) {
      CAPTURE(l);
      CHECK(view->lanes[l].name == all->lanes[l].name);
      CHECK(view->lanes[l].busy == all->lanes[l].busy);
      CHECK(view->lanes[l].extent == all->lanes[l].extent);
    }
  }
}

// Overlapping slices lie below the whole stack of a lane (row_layout.h), which depends on the other segments.
bool stands_by_itself(const Lane& lane) { return lane.overlaps == 0 && lane.kind != LaneKind::Group; }

TEST_CASE("compose: slices of a lane without overlaps are on the same rows as when read at once") {
  std::size_t shared = 0;
  for (const std::uint64_t seed : seeds(120)) {
    CAPTURE(seed);
    const auto all = all_at_once(seed, 3, true, kInRuns);
    const auto view = composed(segments_of(seed, 3, true, kInRuns));
    REQUIRE(view->lanes.size() == all->lanes.size());
    for (std::size_t l = 0; l < view->lanes.size(); ++l) {
      if (!stands_by_itself(all->lanes[l])) continue;
      CAPTURE(l);
      using Stands = std::tuple<Ns, Ns, std::string, std::uint32_t, std::uint16_t>;
      const auto stand = [&](const Trace& trace) {
        std::vector<Stands> out;
        for (const Row& row : trace.rows_of(trace.lanes[l])) {
          for (const SliceId slice : trace.ids_of(row)) {
            out.emplace_back(trace.begin_of(slice), trace.duration_of(slice), trace.name_of(slice), row.slot, row.depth);
          }
        }
        std::ranges::sort(out);
        return out;
      };
      REQUIRE(stand(*view) == stand(*all));
      shared += view->lanes[l].row_count > all->lanes[l].row_count;
    }
    const auto one = as_one_segment(*view, test_pool()).value();
    for (std::size_t l = 0; l < one->lanes.size(); ++l) {
      if (stands_by_itself(all->lanes[l])) CHECK(one->lanes[l].row_count == all->lanes[l].row_count);
    }
  }
  CHECK(shared > rounds(120) / 24);
}

TEST_CASE("compose: as_one_segment keeps the content of a view") {
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    const auto view = composed(segments_of(seed, 3, seed % 2 == 0, seed % 4 < 2 ? kCloseTogether : kInRuns));
    const auto one = as_one_segment(*view, test_pool()).value();
    CHECK(one->parts.empty());
    REQUIRE(check_invariants(*one) == "");
    CHECK(lines_of(*one) == lines_of(*view));
    CHECK(std::ranges::is_sorted(one->flows.own_flows(), flow_less));
  }
}

TEST_CASE("compose: a segment without wall clock is put at the beginning of those with one") {
  TraceSketch sketch;
  sketch.slice("t", 5'000, 10);
  SourceView wall = sketch.view(), other = sketch.view();
  wall.clock_base = {1'700'000'000 * kSecond};
  other.info.path = "other";
  const auto view = composed({built({wall}), built({other})});
  CHECK(view->origin_ns == wall.clock_base.by + 5'000);
  CHECK(view->extent == TimeRange{0, 10});
  CHECK(view->sources[0].problems.entries().empty());
  REQUIRE(view->sources[1].problems.entries().size() == 1);
  CHECK(view->sources[1].problems.entries()[0].kind == ProblemKind::no_wall_clock);
  CHECK(view->sources[1].shift.by == wall.clock_base.by);
}

TEST_CASE("compose: samples of one lane form one series") {
  TraceSketch first, second;
  first.sample("c", 0, 1).sample("c", 20, 3);
  second.sample("c", 10, 2);
  const LaneSpec lane{.path = {{"memory"}}, .kind = LaneKind::Counter};
  first.lane("c", lane);
  second.lane("c", lane);
  const auto view = composed({first.build(), second.build()});
  REQUIRE(view->counters.size() == 1);
  CHECK(std::ranges::equal(view->counters[0].time, std::vector<Ns>{0, 10, 20}));
  CHECK(std::ranges::equal(view->counters[0].value, std::vector<double>{1, 2, 3}));
  CHECK(view->counters[0].max == 3);
}

TEST_CASE("compose: samples at the start of the previous view are shared with it, unless segments overlap") {
  const LaneSpec lane{.path = {{"memory"}}, .kind = LaneKind::Counter};
  const auto segment = [&](Ns begin, double value) {
    TraceSketch sketch;
    sketch.lane("c", lane).sample("c", begin, value).sample("c", begin + 5, value + 1);
    SourceView view = sketch.view();
    view.clock_base = {kSecond};
    return built({view});
  };
  const auto first = segment(0, 1), second = segment(10, 3), third = segment(20, -7), between = segment(12, 9);
  ComparedClocks clocks;
  const auto view_after = [&](const Segments& segments, const Trace* earlier) {
    return compose(segments, PlaceBy::Collectives, {}, {&clocks, earlier}).value();
  };
  const auto two = view_after({first, second}, nullptr), three = view_after({first, second, third}, two.get());
  const CounterSeries &before = two->counters[0], &now = three->counters[0];
  CHECK(&before.value[0] == &first->counters[0].value[0]);
  CHECK(now.time.same_memory(before.time) == 4);
  CHECK(now.value.same_memory(before.value) == 4);
  CHECK(std::ranges::equal(now.time, std::vector<Ns>{0, 5, 10, 15, 20, 25}));
  CHECK(std::ranges::equal(now.value, std::vector<double>{1, 2, 3, 4, -7, -6}));
  CHECK(now.min == -7);
  CHECK(now.max == 4);

  const auto at_once = view_after({first, second, between}, three.get());
  CHECK(std::ranges::equal(at_once->counters[0].time, std::vector<Ns>{0, 5, 10, 12, 15, 17}));
  CHECK(std::ranges::equal(at_once->counters[0].value, std::vector<double>{1, 2, 3, 9, 4, 10}));
  // An interleaved series cannot be shared, so the next one is composed anew.
  const auto after = view_after({first, second, third}, at_once.get());
  CHECK(std::ranges::equal(after->counters[0].time, now.time));
  CHECK(std::ranges::equal(after->counters[0].value, now.value));

  // Two joined segments are one segment. Shown alone, it is itself the previous view, which then has no parts.
  const auto one = joined(first, second, test_pool());
  CHECK(one->counters[0].pieces.empty());
  const auto beside = view_after({one, third}, one.get());
  CHECK(&beside->counters[0].value[0] == &one->counters[0].value[0]);
  CHECK(std::ranges::equal(beside->counters[0].time, now.time));
  CHECK(std::ranges::equal(beside->counters[0].value, now.value));
}

TEST_CASE("compose: more files than a view can number are refused with a message") {
  Trace many;
  many.sources.resize(40'000);
  const auto segment = std::make_shared<const Trace>(std::move(many));
  const auto view = compose({segment, segment});
  REQUIRE(!view.ok());
  CHECK(view.error().text() == "80000 files are more than one view can hold (open fewer at once)");
  CHECK(compose({segment}).ok());
}

TEST_CASE("compose: times that are too far apart are refused, not wrapped") {
  Trace early, late;
  early.origin_ns = -kFarthestTime;
  late.origin_ns = kFarthestTime;
  const auto a = std::make_shared<const Trace>(std::move(early)), b = std::make_shared<const Trace>(std::move(late));
  CHECK(compose({a, b}).error().text() == "the times are too far apart for one view (open the files separately)");
}

TEST_CASE("compose: runs stay where they are if a sum of their shifts would overflow") {
  for (const Ns aligned : {Ns{0}, kFarthestTime}) {
    CAPTURE(aligned);
    Trace early, late;
    for (Trace* const trace : {&early, &late}) {
      trace->origin_ns = -kFarthestTime;
      trace->extent = {0, trace == &early ? 10 : kFarthestTime};
      trace->sources.resize(1);
      trace->sources[0].extent = trace->extent;
      trace->sources[0].work = {trace->extent.end - 10, trace->extent.end};
      trace->sources[0].aligned.by = aligned;
    }
    const auto a = std::make_shared<const Trace>(std::move(early)), b = std::make_shared<const Trace>(std::move(late));
    const auto view = compose({a, b}, PlaceBy::Recorded, {}, {}, Align::Zero).value();
    CHECK(view->align == (aligned == 0 ? Align::Zero : Align::Recorded));
    CHECK(view->sources[0].aligned.by == (aligned == 0 ? 2 * kFarthestTime - 10 : aligned));
    CHECK(view->sources[1].aligned.by == (aligned == 0 ? kFarthestTime : aligned));
  }
}

TEST_CASE("compose: ranks' clocks are corrected as when read at once, whether segments have one rank or several") {
  for (const std::uint64_t seed : seeds(6)) {
    CAPTURE(seed);
    CollectiveRun run;
    run.skew = random_skew(seed, run.ranks, 12 * kMillisecond);
    const std::vector<SourceView> sources = sources_of(run.units(seed));
    const auto all = view_of(sources);
    // One segment per rank; and two packed ones, with clocks corrected within each.
    std::vector<Segments> splits(2);
    for (const SourceView& source : sources) splits[0].push_back(built({source}));
    const auto middle = splits[0].begin() + static_cast<std::ptrdiff_t>(splits[0].size() / 2);
    for (const Segments& half : {Segments(splits[0].begin(), middle), Segments(middle, splits[0].end())}) {
      splits[1].push_back(as_one_segment(*composed(half), test_pool()).value());
    }
    for (const Segments& segments : splits) {
      const auto view = composed(segments);
      REQUIRE(check_invariants(*view) == "");
      REQUIRE(view->sources.size() == all->sources.size());
      for (std::size_t s = 0; s < all->sources.size(); ++s) {
        CAPTURE(s);
        const SourceInfo &one = view->sources[s], &other = all->sources[s];
        CHECK(std::abs(one.shift.by - other.shift.by) <= 10 * kMicrosecond);
        CHECK(one.shift.by == one.clock_fit.offset);
        CHECK(one.clock_fit.evidence == ClockEvidence::Collectives);
        CHECK(one.clock_fit.found == other.clock_fit.found);
        CHECK(one.clock_fit.text == other.clock_fit.text);
        CHECK(one.clock_fit.unit == other.clock_fit.unit);
      }
      if (segments.size() == sources.size()) CHECK(lines_of(*view) == lines_of(*all));
    }
    // On request, single ranks keep their recorded times. Those that were packed together cannot.
    const auto recorded = compose(splits[0], PlaceBy::Recorded).value();
    CHECK(recorded->sources[3].shift.by == 0);
  }
}

TEST_CASE("compose: clock comparisons of an earlier view are reused without changing the result") {
  for (const std::uint64_t seed : seeds(4)) {
    CAPTURE(seed);
    CollectiveRun run;
    run.skew = random_skew(seed, run.ranks, 12 * kMillisecond);
    Segments segments;
    for (const SourceView& source : sources_of(run.units(seed))) segments.push_back(built({source}));
    Segments open(segments.begin(), segments.end() - 1);
    std::vector<Ns> manual_offsets(open.size(), 0);
    ComparedClocks compared;
    // Composes the open segments, and returns how many pairs of ranks were compared for it.
    const auto shown = [&] {
      const std::size_t before = compared.pairs.compared();
      const auto view = compose(open, PlaceBy::Collectives, manual_offsets, {&compared}).value();
      CHECK(lines_of(*view) == lines_of(*compose(open, PlaceBy::Collectives, manual_offsets).value()));
      CHECK(compared.collectives.size() == open.size());
      return compared.pairs.compared() - before;
    };
    CHECK(shown() > open.size());
    CHECK(shown() == 0);
    open.push_back(segments.back());
    manual_offsets.push_back(0);
    CHECK(shown() < open.size());
    manual_offsets[2] = 5 * kMillisecond;
    const std::size_t of_moved = shown();
    CHECK(of_moved > 0);
    CHECK(of_moved < open.size());
    CHECK(shown() == 0);
    // Other ranks are neighbours now.
    open.erase(open.begin());
    manual_offsets.erase(manual_offsets.begin());
    shown();
    std::swap(open.front(), open.back());
    std::swap(manual_offsets.front(), manual_offsets.back());
    shown();
    // With collectives in only one segment, nothing is kept.
    open.resize(2);
    open.back() = built({});
    manual_offsets.assign(2, 0);
    CHECK(compose(open, PlaceBy::Collectives, manual_offsets, {&compared}).ok());
    CHECK(compared.collectives.empty());
    // Comparisons of closed segments are not kept either.
    open = {segments[0], segments[1]};
    CHECK(compose(open, PlaceBy::Collectives, {}, {&compared}).ok());
    CHECK(compared.collectives.size() == 2);
    CHECK(compose({segments[0]}, PlaceBy::Collectives, {}, {&compared}).ok());
    CHECK(compared.collectives.empty());
  }
}

TEST_CASE("compose: labels shared with an earlier view are reused without changing the result") {
  const auto texts_of = [](const Trace& view) {
    std::vector<std::string_view> texts;
    for (std::size_t l = 0; l < view.labels.size(); ++l) texts.push_back(view.labels.name(id_at<LabelId>(l)));
    return texts;
  };
  for (const std::uint64_t seed : seeds(40)) {
    CAPTURE(seed);
    Random random(seed);
    Segments all = segments_of(seed, 6), open;
    std::shared_ptr<const Trace> shown;
    for (int turn = 0; turn < 12; ++turn) {
      CAPTURE(turn);
      const auto place = static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(open.size())));
      if (open.size() < 3 || (open.size() < 6 && random.chance(0.7))) {
        const auto added = std::ranges::find_if(all, [&](const auto& s) { return std::ranges::count(open, s) == 0; });
        open.insert(open.begin() + static_cast<std::ptrdiff_t>(random.chance(0.5) ? open.size() : place), *added);
      } else {
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(place % open.size()));
      }
      if (random.chance(0.1)) shown.reset();  // it was closed meanwhile
      shown = compose(open, PlaceBy::Collectives, {}, {nullptr, shown.get()}).value();
      const auto anew = compose(open).value();
      REQUIRE(texts_of(*shown) == texts_of(*anew));
      REQUIRE(shown->parts.size() == anew->parts.size());
      for (std::size_t p = 0; p < anew->parts.size(); ++p) REQUIRE(shown->parts[p].label == anew->parts[p].label);
      REQUIRE(check_invariants(*shown) == "");
    }
  }
}

// In a view, aligned runs of segments lie where view_clock() puts them, with all their content.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "core/store/clock/view_clock.h"
#include "core/store/logs/table_bytes.h"
#include "tests/support/gen_collectives.h"
#include "tests/support/gen_segments.h"

using namespace tv;
using namespace tv::test;

namespace {

const std::vector<AlignChoice> kChoices = {Align::Recorded, Align::Zero, Align::Fold, std::nullopt};

std::string name_of(AlignChoice align) { return align ? std::string(name(*align)) : "auto"; }

// A source from one of three days, at about the same time of day; some share a process, some have no wall clock.
SourceView source_of_a_day(std::uint64_t seed, std::size_t number) {
  Random random(seed * 64 + number);
  SourceView view = numbered_source(seed, number);
  const Ns day = 1'700'000'000 * kSecond + random.in(0, 2) * 86'400 * kSecond;
  view.clock_base = {random.chance(0.1) ? 5 * kSecond : day + random.in(0, 100) * kMicrosecond};
  if (random.chance(0.3)) view.info.process = fmt::format("process {}", random.in(0, 1));
  return view;
}

// The slices at the times recorded in their files, sorted.
std::string recorded(const Trace& trace) {
  std::vector<std::string> lines;
  for (const SliceId slice : trace.ids()) {
    const SourceInfo& source = trace.sources[idx(trace.ref_of(slice).source())];
    lines.push_back(fmt::format("{} {} {} {}", source.path, trace.begin_of(slice) + trace.origin_ns - source.shift.by, trace.duration_of(slice),
                                trace.name_of(slice)));
  }
  std::ranges::sort(lines);
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::shared_ptr<const Trace> composed(const Segments& segments, AlignChoice align, const std::vector<Ns>& manual_offsets = {}) {
  const auto view = compose(segments, PlaceBy::Collectives, manual_offsets, {}, align);
  REQUIRE(view.ok());
  REQUIRE(check_invariants(*view.value()) == "");
  return view.value();
}

}  // namespace

TEST_CASE("compose: aligned segments lie where view_clock puts them, with all their content") {
  std::size_t moved = 0, folded_unasked = 0;
  for (const std::uint64_t seed : seeds(64)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<std::string> in_files;
    Segments segments;
    std::vector<Ns> manual_offsets;
    std::vector<ClockedSegment> sources;
    for (std::size_t s = 0; s < 2 + seed % 6; ++s) {
      segments.push_back(built({source_of_a_day(seed, s)}));
      manual_offsets.push_back(random.chance(0.2) ? random.in(-5'000, 5'000) * kSecond : 0);
      const SourceInfo& info = segments[s]->sources[0];
      const auto placed = [&](TimeRange range) { return segment_origin(*segments[s])(SegmentRange::of(range)); };
      sources.push_back({{placed(*info.extent), placed(info.work), info.wall_clock, manual_offsets[s], 0, {}, info.process}});
    }
    for (const AlignChoice align : kChoices) {
      const std::string chosen = name_of(align);
      CAPTURE(chosen);
      const ViewClock clock = view_clock(sources, align);
      const auto view = composed(segments, align, manual_offsets);
      CHECK(view->align == clock.align);
      in_files.clear();
      Ns first = std::numeric_limits<Ns>::max(), last = std::numeric_limits<Ns>::min();
      for (std::size_t s = 0; s < segments.size(); ++s) {
        CAPTURE(s);
        const auto [to_wall, aligned] = clock.of_segment[s];
        const SourceInfo& info = view->sources[s];
        CHECK(info.aligned == aligned);
        CHECK(info.shift.by == segments[s]->sources[0].shift.by + manual_offsets[s] + to_wall + aligned.by);
        first = std::min(first, info.extent->begin);
        last = std::max(last, info.extent->end);
        in_files.push_back(recorded(*segments[s]));
      }
      CHECK(first == 0);
      CHECK(view->extent == TimeRange{0, last});
      std::ranges::sort(in_files);
      CHECK(recorded(*view) == fmt::format("{}", fmt::join(in_files, "\n")));
      moved += view->align != Align::Recorded;
      folded_unasked += !align && view->align == Align::Fold;
    }
  }
  CHECK(moved > rounds(64));
  CHECK(folded_unasked > 0);
}

TEST_CASE("compose: ranks' clocks are corrected at recorded times first, then runs are aligned") {
  for (const std::uint64_t seed : seeds(4)) {
    CAPTURE(seed);
    CollectiveRun run;
    run.skew = random_skew(seed, run.ranks, 12 * kMillisecond);
    std::vector<SourceView> sources = sources_of(run.units(seed));
    for (std::size_t s = 0, first = sources.size(); s < first; ++s) {
      SourceView& later = sources.emplace_back(sources[s]);
      later.clock_base += 86'400 * kSecond;
      later.info.path += " of the next day";
      for (auto& [track, spec] : later.lanes) spec.path.insert(spec.path.begin(), {"the next day"});
    }
    Segments segments;
    for (const SourceView& source : sources) segments.push_back(built({source}));
    const auto as_recorded = composed(segments, Align::Recorded);
    for (const Align align : {Align::Zero, Align::Fold}) {
      const std::string chosen(name(align));
      CAPTURE(chosen);
      const auto view = composed(segments, align);
      CHECK(recorded(*view) == recorded(*as_recorded));
      for (std::size_t s = 0; s < sources.size(); ++s) {
        CHECK(view->sources[s].clock_fit == as_recorded->sources[s].clock_fit);
        CHECK(view->sources[s].shift.by - view->sources[s].aligned.by == as_recorded->sources[s].shift.by);
      }
      CHECK(view->sources.back().aligned.by != view->sources.front().aligned.by);
    }
  }
}

TEST_CASE("compose: a segment of several runs, or one that was aligned when it was made, moves as one") {
  constexpr Ns kDay = 86'400 * kSecond, kMonday = 1'700'000'000 * kSecond;
  const auto at = [](Ns begin, const std::string& path) {
    SourceView view = TraceSketch().slice(path, 0, kSecond).slice(path, kSecond, kSecond).view();
    view.clock_base = {begin};
    view.info.path = path;
    return view;
  };
  const SourceView monday = at(kMonday, "monday"), tuesday = at(kMonday + kDay, "tuesday"), friday = at(kMonday + 4 * kDay, "friday");
  const auto both = built({monday, tuesday}), last = built({friday});
  const auto view = composed({both, last}, Align::Zero);
  CHECK(view->align == Align::Zero);
  CHECK(view->sources[0].aligned.by == -kMonday);
  CHECK(view->sources[1].aligned.by == -kMonday);
  CHECK(view->sources[2].aligned.by == -kMonday - 4 * kDay);
  CHECK(view->extent == TimeRange{0, kDay + 2 * kSecond});
  // Alone it does not move.
  CHECK(composed({both}, Align::Fold) == both);
  // A folded segment stays as it is, and lies early compared with others.
  const auto folded = as_one_segment(*view_of({monday, tuesday}, PlaceBy::Collectives, Align::Fold), test_pool()).value();
  REQUIRE(folded->align == Align::Fold);
  CHECK(composed({folded}, Align::Zero) == folded);
  const auto beside = composed({folded, last}, Align::Zero);
  CHECK(beside->sources[0].aligned.by == folded->sources[0].aligned.by);
  CHECK(beside->sources[1].aligned.by == folded->sources[1].aligned.by);
  CHECK(beside->sources[2].aligned.by == -kMonday - 4 * kDay);
  CHECK(beside->extent == folded->extent);
}

TEST_CASE("compose: times too far apart to be aligned stay where they are") {
  Trace early, late;
  for (Trace* const trace : {&early, &late}) {
    trace->extent = {0, kFarthestTime - 10};
    trace->sources.resize(1);
    trace->sources[0].extent = trace->extent;
  }
  early.sources[0].work = {kFarthestTime - 20, kFarthestTime - 10};
  late.sources[0].work = {0, 10};
  const auto a = std::make_shared<const Trace>(std::move(early)), b = std::make_shared<const Trace>(std::move(late));
  const auto view = compose({a, b}, PlaceBy::Recorded, {}, {}, Align::Zero);
  REQUIRE(view.ok());
  CHECK(view.value()->align == Align::Recorded);
  CHECK(view.value()->sources[0].aligned.by == 0);
}

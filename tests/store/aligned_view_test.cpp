// Runs that are aligned where segments are composed lie where they do when all is built at once.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/store/logs/table_bytes.h"
#include "tests/support/gen_collectives.h"
#include "tests/support/gen_segments.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

const std::vector<AlignChoice> kChoices = {Align::Recorded, Align::Zero, Align::Fold, std::nullopt};

std::string name_of(AlignChoice align) { return align ? std::string(name(*align)) : "auto"; }

// Of up to three days, the ones of a day at about the same time; some have a process in common, some do not know the time of day.
SourceView source_of_a_day(std::uint64_t seed, std::size_t number) {
  Random random(seed * 64 + number);
  SourceView view = numbered_source(seed, number);
  const Ns day = 1'700'000'000 * kSecond + random.in(0, 2) * 86'400 * kSecond;
  view.clock_base = random.chance(0.1) ? 5 * kSecond : day + random.in(0, 100) * kMicrosecond;
  if (random.chance(0.3)) view.info.process = fmt::format("process {}", random.in(0, 1));
  return view;
}

// All that an alignment changes, and all slices with absolute times.
std::string all_of(const Trace& trace) {
  std::vector<std::string> lines;
  const auto text = [](TimeRange range) { return fmt::format("[{} {}]", range.begin, range.end); };
  for (const SourceInfo& source : trace.sources) {
    lines.push_back(fmt::format("{} shift {} aligned {} work {} extent {}", source.path, source.shift, source.aligned, text(source.work),
                                source.extent ? text(*source.extent) : "none"));
  }
  for (const Lane& lane : trace.lanes) lines.push_back(fmt::format("{} busy {} extent {}", lane.name, lane.busy, text(lane.extent)));
  lines.push_back(fmt::format("{} origin {} extent {} work {}", name(trace.align), trace.origin_ns, text(trace.extent), text(trace.work)));
  return sorted_trace_text(trace, std::move(lines));
}

std::shared_ptr<const Trace> composed(const Segments& segments, AlignChoice align, const std::vector<Ns>& by_hand = {}) {
  const auto view = compose(segments, PlaceBy::Collectives, by_hand, {}, align);
  REQUIRE(view.ok());
  REQUIRE(check_invariants(*view.value()) == "");
  return view.value();
}

std::shared_ptr<const Trace> built_aligned(const std::vector<SourceView>& sources, AlignChoice align) {
  return build_trace(sources, test_pool(), {}, PlaceBy::Collectives, align);
}

}  // namespace

TEST_CASE("compose: aligned segments in any order lie where sources do that are built and aligned at once") {
  std::size_t moved = 0, folded_unasked = 0;
  for (const std::uint64_t seed : seeds(64)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<SourceView> sources;
    Segments segments;
    std::vector<Ns> by_hand;
    for (std::size_t s = 0; s < 2 + seed % 6; ++s) {
      SourceView view = source_of_a_day(seed, s);
      segments.push_back(built({view}));
      by_hand.push_back(random.chance(0.2) ? random.in(-5'000, 5'000) * kSecond : 0);
      view.info.clock_offset = by_hand.back();
      sources.push_back(std::move(view));
    }
    for (std::size_t s = segments.size(); s-- > 1;) {
      const std::size_t other = random.next() % (s + 1);
      std::swap(segments[s], segments[other]);
      std::swap(by_hand[s], by_hand[other]);
    }
    const std::string recorded = all_of(*composed(segments, Align::Recorded, by_hand));
    for (const AlignChoice align : kChoices) {
      const std::string chosen = name_of(align);
      CAPTURE(chosen);
      const auto all = built_aligned(sources, align), view = composed(segments, align, by_hand);
      CHECK(all_of(*view) == all_of(*all));
      moved += view->align != Align::Recorded;
      folded_unasked += !align && view->align == Align::Fold;
    }
    CHECK(all_of(*composed(segments, Align::Recorded, by_hand)) == recorded);  // the segments are as they were
  }
  CHECK(moved > rounds(64));
  CHECK(folded_unasked > 0);
}

TEST_CASE("compose: ranks' clocks are put right by recorded times, then runs are aligned") {
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
    const auto recorded = composed(segments, Align::Recorded);
    for (const Align align : {Align::Zero, Align::Fold}) {
      const std::string chosen(name(align));
      CAPTURE(chosen);
      const auto view = composed(segments, align);
      CHECK(all_of(*view) == all_of(*built_aligned(sources, align)));
      for (std::size_t s = 0; s < sources.size(); ++s) {
        CHECK(view->sources[s].clock_fit == recorded->sources[s].clock_fit);
        CHECK(view->sources[s].shift - view->sources[s].aligned == recorded->sources[s].shift);
      }
      CHECK(view->sources.back().aligned != view->sources.front().aligned);
    }
  }
}

TEST_CASE("compose: a segment whose runs cannot be moved apart, or were when it was made, is moved as one") {
  constexpr Ns kDay = 86'400 * kSecond, kMonday = 1'700'000'000 * kSecond;
  const auto at = [](Ns begin, const std::string& path) {
    SourceView view = TraceSketch().slice(path, 0, kSecond).slice(path, kSecond, kSecond).view();
    view.clock_base = begin;
    view.info.path = path;
    return view;
  };
  const SourceView monday = at(kMonday, "monday"), tuesday = at(kMonday + kDay, "tuesday"), friday = at(kMonday + 4 * kDay, "friday");
  const auto both = built({monday, tuesday}), last = built({friday});
  const auto view = composed({both, last}, Align::Zero);
  CHECK(view->align == Align::Zero);
  CHECK(view->sources[0].aligned == -kMonday);
  CHECK(view->sources[1].aligned == -kMonday);
  CHECK(view->sources[2].aligned == -kMonday - 4 * kDay);
  CHECK(view->extent == TimeRange{0, kDay + 2 * kSecond});
  // Alone there is nothing to move it by.
  CHECK(composed({both}, Align::Fold) == both);
  // One that was folded stays as it is, and is an early one beside what was not.
  const auto folded = built_aligned({monday, tuesday}, Align::Fold);
  REQUIRE(folded->align == Align::Fold);
  CHECK(composed({folded}, Align::Zero) == folded);
  const auto beside = composed({folded, last}, Align::Zero);
  CHECK(beside->sources[0].aligned == folded->sources[0].aligned);
  CHECK(beside->sources[1].aligned == folded->sources[1].aligned);
  CHECK(beside->sources[2].aligned == -kMonday - 4 * kDay);
  CHECK(beside->extent == folded->extent);
}

TEST_CASE("compose: times too far from each other to be aligned stay where they are") {
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
  CHECK(view.value()->sources[0].aligned == 0);
}

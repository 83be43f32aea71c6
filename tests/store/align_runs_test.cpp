#include "core/store/clock/align_runs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

RecordedSource source(Ns begin, Ns end, std::string run = {}, std::string process = {}) {
  const CommonRange range{{begin}, {end}};
  return {range, range, std::move(run), std::move(process)};
}

template <class Time>
bool overlap(RangeOf<Time> a, RangeOf<Time> b) {
  return a.begin < b.end && b.begin < a.end;
}

std::vector<Ns> lengths(const std::vector<RunShift>& shifts) {
  std::vector<Ns> by;
  for (const RunShift shift : shifts) by.push_back(shift.by);
  return by;
}

// Sources of a few runs, some of which overlap, some with marks beyond their work.
std::vector<RecordedSource> random_sources(Random& random) {
  std::vector<RecordedSource> sources;
  Ns run_begin = random.chance(0.5) ? 1'700'000'000 * kSecond : 0;
  const auto runs = random.in(1, 6);
  for (std::int64_t r = 0; r < runs; ++r) {
    const Ns length = random.in(1, 1'000'000);
    const auto files = random.in(1, 5);
    for (std::int64_t f = 0; f < files; ++f) {
      const Ns begin = run_begin + random.in(0, length - 1), end = begin + random.in(1, length);
      RecordedSource one = source(begin, end);
      if (random.chance(0.3)) one.extent.end += random.in(0, 100'000);
      if (random.chance(0.2)) one.extent.begin -= random.in(0, 100'000);
      if (random.chance(0.2)) one.run = "run " + std::to_string(random.in(0, 2));
      if (random.chance(0.2)) one.process = "process " + std::to_string(random.in(0, 2));
      sources.push_back(one);
    }
    run_begin += random.chance(0.8) ? random.in(0, 100'000 * kSecond) : random.in(0, 2 * length);
  }
  for (std::size_t i = sources.size(); i > 1; --i) std::swap(sources[i - 1], sources[random.next() % i]);
  return sources;
}

}  // namespace

TEST_CASE("align_runs: each alignment is found by its name") {
  for (const Align align : {Align::Recorded, Align::Zero, Align::Fold}) CHECK(align_named(name(align)) == align);
  CHECK(align_named("stacked") == std::nullopt);
}

TEST_CASE("align_runs: two runs far apart both begin at 0, or are folded together") {
  const std::vector<RecordedSource> sources = {source(1'000'000, 1'400'000), source(1'100'000, 1'500'000),
                                               source(9'000'000'000, 9'000'300'000)};
  const AlignedRuns recorded = align_runs(sources, Align::Recorded);
  CHECK(lengths(recorded.shift) == std::vector<Ns>{0, 0, 0});
  CHECK(recorded.run == std::vector<std::uint32_t>{0, 0, 1});
  CHECK(lengths(align_runs(sources, Align::Zero).shift) == std::vector<Ns>{-1'000'000, -1'000'000, -9'000'000'000});
  // A pause of a twentieth of the 800 µs of work stays.
  CHECK(lengths(align_runs(sources, Align::Fold).shift) == std::vector<Ns>{-1'000'000, -1'000'000, 540'000 - 9'000'000'000});
}

TEST_CASE("align_runs: groups move like their sources, or as one source each if those would move apart") {
  std::size_t apart = 0, alike = 0;
  for (const std::uint64_t seed : seeds(300)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<RecordedSource> all = random_sources(random);
    std::ranges::stable_sort(all, {}, [](const RecordedSource& one) { return one.work.begin; });
    std::vector<std::vector<RecordedSource>> groups(1);
    for (const RecordedSource& one : all) {
      if (random.chance(0.7)) groups.emplace_back();
      groups.back().push_back(one);
    }
    for (const AlignChoice align : {AlignChoice(Align::Recorded), AlignChoice(Align::Zero), AlignChoice(Align::Fold), AlignChoice()}) {
      const std::vector<RunShift> each = align_as_chosen(all, align).shift;
      std::vector<RunShift> shift = align_groups(groups, align);
      REQUIRE(shift.size() == groups.size());
      bool same = true;
      std::size_t s = 0;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::size_t first = s;
        for (std::size_t of = 0; of < groups[g].size(); ++of, ++s) same &= each[s] == each[first];
      }
      s = 0;
      for (std::size_t g = 0; g < groups.size() && same; s += groups[g++].size()) {
        if (!groups[g].empty()) CHECK(shift[g] == each[s]);
      }
      apart += !same;
      alike += same && std::ranges::any_of(each, [](RunShift moved) { return moved.by != 0; });
      if (same) continue;
      // Otherwise each group moves as one source.
      std::vector<RecordedSource> wholes;
      for (const auto& group : groups) {
        if (group.empty()) continue;
        RecordedSource& whole = wholes.emplace_back(group.front());
        for (const RecordedSource& one : group) {
          whole.extent.include(one.extent);
          whole.work.include(one.work);
          whole.run = whole.run.empty() ? one.run : whole.run;
          whole.process = whole.process.empty() ? one.process : whole.process;
        }
      }
      if (groups.front().empty()) shift.erase(shift.begin());
      CHECK(shift == align_as_chosen(wholes, align).shift);
    }
  }
  CHECK(apart > 20);
  CHECK(alike > 20);
}

TEST_CASE("align_runs: folding leaves no space for a mark far from the work of a run") {
  std::vector<RecordedSource> sources = {source(1'000'000, 2'000'000), source(9'000'000'000, 9'001'000'000)};
  sources[0].extent.end = {4'000'000};  // "Record Window End"
  sources[1].extent.begin -= 5'000'000'000;
  const AlignedRuns runs = align_runs(sources, Align::Fold);
  const AlignedTime first_ends = runs.shift[0](sources[0].work.end), second_begins = runs.shift[1](sources[1].work.begin);
  CHECK(second_begins - first_ends == 100'000);  // a twentieth of the 2 ms of work
  CHECK(runs.shift[1](sources[1].extent.begin) == AlignedTime{0});  // the earliest mark
}

TEST_CASE("align_runs: a single run stays where it is, and no sources give no shifts") {
  const std::vector<RecordedSource> sources = {source(5'000, 6'000), source(5'500, 9'000)};
  for (const Align align : {Align::Recorded, Align::Zero, Align::Fold}) {
    CHECK(lengths(align_runs(sources, align).shift) == std::vector<Ns>{0, 0});
    CHECK(align_runs({}, align).shift.empty());
  }
}

TEST_CASE("align_runs: the work of all runs begins at the same time, even with marks before it") {
  std::vector<RecordedSource> sources = {source(1'000, 2'000), source(100'000, 102'000)};
  sources[1].extent.begin -= 300;
  const AlignedRuns runs = align_runs(sources, Align::Zero);
  CHECK(runs.shift[0].by + 1'000 == 300);  // otherwise the mark of the second would lie before 0
  CHECK(runs.shift[1].by + 100'000 == 300);
}

TEST_CASE("align_runs: folding keeps the pauses between logs of one run, but only Zero keeps those between windows of one process") {
  const std::vector<RecordedSource> rollouts = {source(0, kSecond, "exp"), source(60 * kSecond, 61 * kSecond, "exp"),
                                                source(30 * kSecond, 31 * kSecond)};
  CHECK(lengths(align_runs(rollouts, Align::Fold).shift) == std::vector<Ns>{0, 0, 0});  // the third one lies within the run
  const std::vector<RecordedSource> windows = {source(0, kSecond, {}, "p"), source(60 * kSecond, 61 * kSecond, {}, "p")};
  CHECK(align_runs(windows, Align::Zero).work.size() == 1);
  CHECK(align_runs(windows, Align::Fold).work.size() == 2);
}

TEST_CASE("align_runs: offsets within runs stay, the earliest time is 0, and folding keeps order and adds no overlap") {
  for (const std::uint64_t seed : seeds(2'000)) {
    CAPTURE(seed);
    Random random(seed);
    const std::vector<RecordedSource> sources = random_sources(random);
    for (const Align align : {Align::Zero, Align::Fold}) {
      const AlignedRuns runs = align_runs(sources, align);
      const bool one = runs.work.size() == 1;
      AlignedTime begin{INT64_MAX};
      std::map<std::uint32_t, RunShift> shift;
      std::map<std::uint32_t, AlignedTime> work_begin;
      for (std::size_t s = 0; s < sources.size(); ++s) {
        REQUIRE(runs.shift[s] == shift.try_emplace(runs.run[s], runs.shift[s]).first->second);
        begin = std::min(begin, runs.shift[s](sources[s].extent.begin));
        const AlignedTime at = runs.shift[s](sources[s].work.begin);
        work_begin[runs.run[s]] = std::min(work_begin.try_emplace(runs.run[s], at).first->second, at);
        if (!sources[s].run.empty() || (align == Align::Zero && !sources[s].process.empty())) {
          for (std::size_t o = 0; o < s; ++o) {
            const bool same = (!sources[s].run.empty() && sources[s].run == sources[o].run) ||
                              (align == Align::Zero && !sources[s].process.empty() && sources[s].process == sources[o].process);
            if (same) REQUIRE(runs.run[s] == runs.run[o]);
          }
        }
      }
      if (one) {
        REQUIRE(runs.shift == std::vector<RunShift>(sources.size()));
        continue;
      }
      REQUIRE(begin == AlignedTime{0});
      for (const auto& [run, at] : work_begin) {
        if (align == Align::Zero) REQUIRE(at == work_begin.begin()->second);
      }
      for (std::size_t a = 0; a < sources.size(); ++a) {
        for (std::size_t b = 0; b < sources.size(); ++b) {
          const RecordedSource &x = sources[a], &y = sources[b];
          if (overlap(x.work, y.work)) REQUIRE(runs.run[a] == runs.run[b]);
          if (align == Align::Zero) continue;
          const AlignedRange at_x = runs.shift[a](x.work), at_y = runs.shift[b](y.work);
          if (!overlap(x.work, y.work)) REQUIRE(!overlap(at_x, at_y));
          if (x.work.begin <= y.work.begin)
            REQUIRE(at_x.begin <= at_y.begin);
          // Never further apart than they were recorded.
          REQUIRE(std::abs(at_y.begin - at_x.begin) <= std::abs(y.work.begin - x.work.begin));
        }
      }
    }
  }
}

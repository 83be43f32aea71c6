// Clock offsets found from the ends of collectives, compared with known true offsets.
#include "core/store/collectives/collective_clock.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "core/store/collectives/stream_match.h"
#include "tests/support/gen_collectives.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr Ns kWithin = 10 * kMicrosecond;

// The largest remaining difference between two connected units after the correction.
Ns worst_error(const CollectiveRun& run, const std::vector<CollectiveClock>& clocks) {
  Ns worst = 0;
  for (std::size_t a = 0; a < clocks.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (clocks[a].group != clocks[b].group) continue;
      worst = std::max(worst, std::abs(run.skew[a] + clocks[a].offset - run.skew[b] - clocks[b].offset));
    }
  }
  return worst;
}

std::size_t groups(const std::vector<CollectiveClock>& clocks) {
  std::vector<std::uint32_t> all;
  for (const CollectiveClock& clock : clocks) all.push_back(clock.group);
  std::ranges::sort(all);
  return static_cast<std::size_t>(std::unique(all.begin(), all.end()) - all.begin());
}

// A stream of collectives of one name that end at these times.
CollectiveStream stream_of(const std::vector<Ns>& ends, Ns skew) {
  CollectiveStream stream;
  for (const Ns end : ends) stream.push_back({0, end + skew - 30 * kMicrosecond, end + skew});
  return stream;
}

// By brute force: the difference of every two kernels of one name is tried as the offset. The best is the one with which most ends
// lie within 20 us of an end in the other stream, and among equals the one with which they lie closest.
Ns offset_tried_out(const CollectiveStream& a, const CollectiveStream& b) {
  const auto judge = [&](Ns offset) {
    std::pair<int, Ns> result{0, 0};  // the number of such ends, and minus the sum of their distances
    for (const CollectiveKernel& own : a) {
      Ns least = 20 * kMicrosecond;
      for (const CollectiveKernel& other : b) {
        if (own.name == other.name) least = std::min(least, std::abs(own.end - other.end - offset));
      }
      if (least == 20 * kMicrosecond) continue;
      ++result.first;
      result.second -= least;
    }
    return result;
  };
  Ns best = 0;
  std::pair<int, Ns> best_result{0, 0};
  for (const CollectiveKernel& own : a) {
    for (const CollectiveKernel& other : b) {
      if (own.name != other.name) continue;
      const auto result = judge(own.end - other.end);
      if (result > best_result) {
        best_result = result;
        best = own.end - other.end;
      }
    }
  }
  return best;
}

}  // namespace

TEST_CASE("collective_clock: clocks of eight ranks that are wrong by up to 2 ms or 12 s are corrected within 10 us") {
  for (const Ns most : {2 * kMillisecond, 12 * kSecond}) {
    for (const std::uint64_t seed : seeds(12)) {
      CollectiveRun run;
      run.skew = random_skew(seed, run.ranks, most);
      const auto clocks = collective_clocks(run.units(seed));
      CAPTURE(seed);
      CAPTURE(most);
      CHECK(groups(clocks) == 1);
      CHECK(worst_error(run, clocks) <= kWithin);
      int before = 0, after = 0;
      for (const CollectiveClock& clock : clocks) {
        CHECK(clock.known());
        CHECK(clock.period == 0);
        CHECK(clock.residual <= 8 * kMicrosecond);
        CHECK(clock.residual <= clock.residual_p90);
        CHECK(clock.residual_p90 <= 25 * kMicrosecond);
        CHECK(clock.reference == clocks[0].reference);
        before += clock.offset < 0 ? 1 : 0;
        after += clock.offset > 0 ? 1 : 0;
      }
      CHECK(clocks[clocks[0].reference].offset == 0);  // the one in the middle
      CHECK(std::abs(before - after) == 1);
    }
  }
}

TEST_CASE("collective_clock: captures may begin and end at different collectives") {
  for (const std::uint64_t seed : seeds(12)) {
    CollectiveRun run;
    run.skew = random_skew(seed, run.ranks, 12 * kSecond);
    Random random(seed);
    for (std::size_t rank = 0; rank < run.ranks; ++rank) {
      run.skip_front.push_back(static_cast<std::size_t>(random.in(0, 8)));
      run.skip_back.push_back(static_cast<std::size_t>(random.in(0, 8)));
    }
    const auto clocks = collective_clocks(run.units(seed));
    CAPTURE(seed);
    CHECK(groups(clocks) == 1);
    CHECK(worst_error(run, clocks) <= kWithin);
  }
}

TEST_CASE("collective_clock: ranks of different groups are not joined, however alike their kernels are") {
  for (const std::uint64_t seed : seeds(12)) {
    CollectiveRun run;
    run.data_parallel = false;
    run.skew = random_skew(seed, run.ranks, 12 * kSecond);
    const auto clocks = collective_clocks(run.units(seed));
    CAPTURE(seed);
    CHECK(worst_error(run, clocks) <= kWithin);
    REQUIRE(groups(clocks) == run.ranks / run.tp);
    for (std::uint32_t rank = 0; rank < run.ranks; ++rank) {
      CHECK(clocks[rank].group == rank / 2 * 2);
      CHECK(clocks[rank].partners == std::vector{rank ^ 1u});
    }
  }
}

TEST_CASE(
    "collective_clock: with outliers, similar layers, jitter or a single stream, an offset is right or there is none") {
  struct Kind {
    const char* name;
    void (*change)(CollectiveRun&);
    Ns within;
    std::size_t most_groups;
  };
  const Kind kinds[] = {
      {"outliers", [](CollectiveRun& run) { run.outliers = 0.1; }, kWithin, 1},
      {"alike",
       [](CollectiveRun& run) {
         run.layers = 40;
         run.work = 200 * kMicrosecond;
         run.uneven = run.uneven_step = 0.01;
       },
       kWithin, 1},
      {"regular", [](CollectiveRun& run) { run.uneven = run.uneven_step = 0.005; }, kWithin, 1},
      {"jitter", [](CollectiveRun& run) { run.jitter = 15 * kMicrosecond; }, 60 * kMicrosecond, 8},
      {"one stream", [](CollectiveRun& run) { run.one_stream = true; }, kWithin, 4},
      // With four kernels on each stream, those of another group can fit by chance.
      {"few", [](CollectiveRun& run) { run.steps = run.layers = 2; }, 100 * kMicrosecond, 8},
  };
  for (const Kind& kind : kinds) {
    CAPTURE(kind.name);
    for (const std::uint64_t seed : seeds(12)) {
      CAPTURE(seed);
      CollectiveRun run;
      kind.change(run);
      run.skew = random_skew(seed, run.ranks, 12 * kSecond);
      const auto clocks = collective_clocks(run.units(seed));
      CHECK(worst_error(run, clocks) <= kind.within);
      CHECK(groups(clocks) <= kind.most_groups);
    }
  }
}

TEST_CASE("collective_clock: the clocks of random runs are corrected within 10 us") {
  const std::vector<std::uint64_t> all = seeds(40);
  MESSAGE("TV_SEED from ", all.front(), " to ", all.back());
  for (const std::uint64_t seed : all) {
    Random random(seed);
    CollectiveRun run;
    run.tp = static_cast<std::size_t>(1) << random.in(0, 2);
    run.ranks = run.tp * static_cast<std::size_t>(random.in(2, 5));
    run.steps = static_cast<std::size_t>(random.in(8, 24));
    run.layers = static_cast<std::size_t>(random.in(2, 20));
    run.work = random.in(300, 3'000) * kMicrosecond;
    run.uneven = 0.02 + 0.08 * random.unit();
    run.uneven_step = 0.02 + 0.2 * random.unit();
    run.jitter = random.in(0, 5) * kMicrosecond;
    run.outliers = 0.03 * random.unit();
    run.skew = random_skew(seed, run.ranks, random.chance(0.5) ? 2 * kMillisecond : 12 * kSecond);
    for (std::size_t rank = 0; rank < run.ranks; ++rank) {
      run.skip_front.push_back(static_cast<std::size_t>(random.in(0, 3)));
      run.skip_back.push_back(static_cast<std::size_t>(random.in(0, 3)));
    }
    const auto clocks = collective_clocks(run.units(seed));
    CAPTURE(seed);
    CHECK(groups(clocks) == 1);
    CHECK(worst_error(run, clocks) <= kWithin);
  }
}

TEST_CASE("collective_clock: a rank without collectives, or with too few, stays by itself") {
  CollectiveRun run;
  run.skew = random_skew(3, run.ranks, 12 * kSecond);
  std::vector<PlayedUnit> units = run.units(3);
  units[5].streams.clear();
  for (CollectiveStream& stream : units[2].streams) stream.resize(2);
  const auto clocks = collective_clocks(units);
  for (const std::uint32_t alone : {2u, 5u}) {
    CHECK(!clocks[alone].known());
    CHECK(!clocks[alone].is_significant());
    CHECK(clocks[alone].group == alone);
    CHECK(clocks[alone].offset == 0);
    CHECK(clocks[alone].partners.empty());
  }
  CHECK(groups(clocks) == 3);
  CHECK(worst_error(run, clocks) <= kWithin);
  CHECK(collective_clocks(std::vector<PlayedUnit>{}).empty());
  CHECK(!collective_clocks(std::vector{PlayedUnit{}}).front().known());
}

TEST_CASE("collective_clock: a clock that the user moved stays, and the others are corrected relative to it") {
  CollectiveRun run;
  run.skew = random_skew(4, run.ranks, 12 * kSecond);
  std::vector<PlayedUnit> units = run.units(4);
  units[6].moved_by_user = true;
  auto clocks = collective_clocks(units);
  CHECK(worst_error(run, clocks) <= kWithin);
  for (const CollectiveClock& clock : clocks) CHECK(clock.reference == 6);
  CHECK(clocks[6].offset == 0);
  units[1].moved_by_user = units[2].moved_by_user = true;
  clocks = collective_clocks(units);
  std::vector<std::pair<Ns, std::uint32_t>> moved_by_user;
  for (const std::uint32_t unit : {1u, 2u, 6u}) moved_by_user.push_back({-run.skew[unit], unit});
  std::ranges::sort(moved_by_user);
  CHECK(clocks[0].reference == moved_by_user[1].second);
}

TEST_CASE("collective_clock: with equal intervals the fit nearest to the recorded clocks is used, and reports the period") {
  std::vector<Ns> ends;
  for (int i = 0; i < 200; ++i) ends.push_back(1'700'000'000 * kSecond + i * 10 * kMillisecond);
  for (const Ns skew : {2 * kMillisecond, -3 * kMillisecond, 4 * kMillisecond}) {
    const auto clocks = collective_clocks({{{stream_of(ends, 0)}}, {{stream_of(ends, skew)}}});
    CAPTURE(skew);
    CHECK(clocks[0].group == clocks[1].group);
    CHECK(clocks[1].offset == -skew);
    CHECK(clocks[1].period == 10 * kMillisecond);
    CHECK(clocks[1].is_significant());
  }
  // One interval that differs is enough.
  std::vector<Ns> uneven = ends;
  for (std::size_t i = 120; i < uneven.size(); ++i) uneven[i] += 300 * kMicrosecond;
  const auto far = collective_clocks({{{stream_of(uneven, 0)}}, {{stream_of(uneven, 47 * kMillisecond)}}});
  CHECK(far[1].offset == -47 * kMillisecond);
  // Captured one after another: they have nothing in common.
  std::vector<Ns> later;
  for (const Ns end : ends) later.push_back(end + 10 * kSecond);
  const auto apart = collective_clocks({{{stream_of(ends, 0)}}, {{stream_of(later, 0)}}});
  CHECK(!apart[0].known());
  CHECK(!apart[1].known());
}

TEST_CASE("collective_clock: an offset counts as nonzero above 5 us and above three standard errors of the mean") {
  CollectiveClock clock;
  clock.matched = 100;
  clock.residual = 10 * kMicrosecond;
  clock.offset = -6 * kMicrosecond;
  CHECK(clock.is_significant());
  clock.offset = 5 * kMicrosecond;
  CHECK(!clock.is_significant());
  clock.offset = 6 * kMicrosecond;
  clock.residual = 15 * kMicrosecond;
  CHECK(!clock.is_significant());
  clock.residual = 0;
  clock.matched = 2;
  CHECK(!clock.is_significant());
}

TEST_CASE("stream_match: the offset agrees with a brute-force search over all pairs of kernels") {
  std::size_t matches = 0;
  for (const std::uint64_t seed : seeds(60)) {
    CollectiveRun run;
    run.ranks = 4;
    run.steps = 5;
    run.layers = 4;
    run.one_stream = seed % 3 == 0;
    run.skew = random_skew(seed, run.ranks, 3 * kSecond);
    run.skip_front = {seed % 5, 0, seed % 3, 0};
    run.skip_back = {0, seed % 4, 0, seed % 2};
    const std::vector<PlayedUnit> units = run.units(seed);
    for (std::size_t s = 0; s < units[0].streams.size(); ++s) {
      const std::size_t partner = s == 0 ? 1 : 2;
      const CollectiveStream &a = units[0].streams[s], &b = units[partner].streams[s];
      const auto match = match_streams(StreamProbe(a), StreamProbe(b));
      CAPTURE(seed);
      CAPTURE(s);
      REQUIRE(match.has_value());
      ++matches;
      CHECK(std::abs(match->offset - offset_tried_out(a, b)) <= 2 * kWithin);  // brute force takes the offset of one pair
      CHECK(match->matched == match->residuals.size());
      const auto back = match_streams(StreamProbe(b), StreamProbe(a));
      REQUIRE(back.has_value());
      CHECK(std::abs(match->offset + back->offset) <= kWithin);
    }
  }
  CHECK(matches > 0);
}

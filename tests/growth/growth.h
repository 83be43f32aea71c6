// No cost grows faster than n log n in any count. The tests are a table of growth kinds: each kind makes an input of n items
// and one of 2n, runs all stages on both, and compares core's work stage by stage.
//
// Unit: visits of basic blocks of core and of the standard library headers it uses, a visit for each 32 bytes that the C
// library moves, compares or searches, and one for each step of SQLite's machine (visits.h, counted_calls_test.cpp). Not time,
// so a busy machine changes nothing. Work inside other libraries (zstd, libarchive, simdjson, RE2) is not counted.
//
// The bound: when n doubles, n log n grows 2.2 times at n = 1,000 (2 * 11 / 10) and 2.25 times at 320; n * n grows 4 times. So 2n
// may cost at most 2.4 times as much as n. The growing part is also checked alone: without the cost of n / 16 (at most half of
// the cost of n, in case the method changes with size) it may grow at most 2.5 times; n log n then grows 2.28 times at 320 and
// linear cost 2.07 times. There a square term shows once it is a quarter of the linear part, whatever the fixed cost.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/visits.h"

namespace tv::test {

class Meter {
 public:
  /// Runs `work` and adds the visits that core makes meanwhile to a stage.
  template <class Work>
  void stage(const std::string& name, const Work& work) {
    const std::uint64_t before = visits();
    work();
    counts_[name] += visits() - before;
  }
  const std::map<std::string, std::uint64_t>& counts() const { return counts_; }
  std::uint64_t of(const std::string& stage) const {
    const auto found = counts_.find(stage);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, std::uint64_t> counts_;
};

struct GrowthKind {
  const char* name;
  std::size_t n;
  std::function<void(Meter& meter, std::size_t n)> work;
};

/// A stage that is known to grow faster than n log n, and by how much. The test fails when the entry is outdated.
struct KnownGrowth {
  std::string_view kind, stage;
  double ratio;
};

inline constexpr double kMostInAll = 2.4, kMostGrowth = 2.5;
/// A known growth near the limit may be a little below it.
inline constexpr double kStillKnown = 0.95;
/// Threads wake each other a little more or less often: this many extra visits are noise.
inline constexpr double kVisitsOfChance = 30'000;

/// The cost of n / 16, n and 2n items.
struct Growth {
  double base = 0, small = 0, large = 0;

  double subtracted() const { return std::min(base, small / 2); }
  double ratio() const { return (large - subtracted()) / std::max(1.0, small - subtracted()); }
  bool too_fast() const {
    return large > kMostInAll * small + kVisitsOfChance ||
           large - subtracted() > kMostGrowth * (small - subtracted()) + kVisitsOfChance;
  }
};

/// A number from the environment, or `otherwise` if it is not set.
inline std::size_t growth_setting(const char* name, std::size_t otherwise) {
  const char* const text = std::getenv(name);
  return text ? static_cast<std::size_t>(std::atoll(text)) : otherwise;
}

inline void check_kind(const GrowthKind& kind, std::span<const KnownGrowth> known, bool first_one) {
  const std::clock_t begin = std::clock();
  const std::size_t n = kind.n * growth_setting("TV_GROWTH_TIMES", 1);
  Meter once, base, small, large;
  if (first_one) kind.work(once, n / 16);  // keeps work done once per process out of the counts
  kind.work(base, n / 16);
  kind.work(small, n);
  kind.work(large, 2 * n);
  const bool print = growth_setting("TV_GROWTH", 0) > 0;
  for (const auto& [stage, count] : large.counts()) {
    const Growth growth{static_cast<double>(base.of(stage)), static_cast<double>(small.of(stage)), static_cast<double>(count)};
    const std::string said = fmt::format("{}, {}: {} take {} visits, {} take {}: {:.2f} times (of {} {})", kind.name, stage, n,
                                         growth.small, 2 * n, growth.large, growth.ratio(), n / 16, growth.base);
    if (print) std::printf("%s%s\n", said.c_str(), growth.too_fast() ? "  <-- grows" : "");
    bool expected = false;
    for (const KnownGrowth& one : known) expected |= one.kind == kind.name && one.stage == stage;
    const bool right = expected ? growth.too_fast() || growth.ratio() > kStillKnown * kMostGrowth : !growth.too_fast();
    CHECK_MESSAGE(right, (expected ? "no longer grows faster than n log n: " : "grows faster than n log n: "), said);
  }
  if (print) std::printf("%s: %.2f s of processor time\n", kind.name, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
}

/// TV_GROWTH=1 prints all counts, TV_GROWTH_KIND=WORDS runs only kinds with these words in their names, TV_GROWTH_TIMES=4 makes
/// each n four times as large.
inline void check_growth(std::span<const GrowthKind> kinds, std::span<const KnownGrowth> known = {}) {
  const char* const only = std::getenv("TV_GROWTH_KIND");
  bool first_one = true;
  for (const GrowthKind& kind : kinds) {
    if (only && std::string_view(kind.name).find(only) == std::string_view::npos) continue;
    check_kind(kind, known, std::exchange(first_one, false));
  }
}

}  // namespace tv::test

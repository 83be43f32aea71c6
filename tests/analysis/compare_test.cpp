#include "core/analysis/run/compare.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/analysis/statistics/split_mix.h"
#include "core/analysis/statistics/summary.h"
#include "tests/support/gen_trace.h"
#include "tests/support/hand_rollout.h"

using namespace tv;
using namespace tv::test;

namespace {

std::vector<double> lognormal(std::uint64_t seed, std::size_t n, double shift = 0) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<> draw(2.5 + shift, 0.7);
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(draw(random));
  return out;
}

// The textbook percentile bootstrap: draw, sort, take.
template <class Statistic>
Interval drawn_interval(const std::vector<double>& a, const std::vector<double>& b, Statistic statistic) {
  std::mt19937_64 random(99);
  const auto redrawn = [&](const std::vector<double>& from) {
    std::vector<double> out;
    std::uniform_int_distribution<std::size_t> pick(0, from.size() - 1);
    for (std::size_t i = 0; i < from.size(); ++i) out.push_back(from[pick(random)]);
    std::ranges::sort(out);
    return statistic(out);
  };
  std::vector<double> deltas;
  for (int i = 0; i < 4000; ++i) deltas.push_back(redrawn(b) - redrawn(a));
  std::ranges::sort(deltas);
  return {quantile(deltas, 0.025), quantile(deltas, 0.975)};
}

}  // namespace

TEST_CASE("compare: means, medians, P90 and the KS distance match a worked example") {
  // a = 1 ... 10, b = 3 ... 12: means and medians 5.5 and 7.5, P90 9.1 and 11.1, D = 2 / 10 at x = 2.
  std::vector<double> a(10), b(10);
  std::iota(a.begin(), a.end(), 1);
  std::iota(b.begin(), b.end(), 3);
  a.push_back(std::nan(""));
  const Comparison c = compare(a, b);
  CHECK(c.a.size() == 10);
  CHECK(c.of(DeltaOf::Mean).delta() == doctest::Approx(2));
  CHECK(c.of(DeltaOf::Median).a == 5.5);
  CHECK(c.of(DeltaOf::P90).b == doctest::Approx(11.1));
  CHECK(c.ks_distance == doctest::Approx(0.2));
  CHECK(c.verdict == Verdict::NotDistinguishable);
  for (const Delta& delta : c.deltas) CHECK(delta.interval.low <= delta.interval.high);
  CHECK(c.of(DeltaOf::Mean).interval.contains(2));
}

TEST_CASE("compare: empty and single samples are too few, equal constants are not distinguishable") {
  const std::vector<double> none, one = {3}, same(50, 3.0);
  CHECK(compare(none, same).verdict == Verdict::TooFew);
  CHECK(std::isnan(compare(none, same).of(DeltaOf::Mean).a));
  CHECK(compare(one, same).verdict == Verdict::TooFew);
  CHECK(compare(one, same).of(DeltaOf::P99).delta() == 0);
  const Comparison equal = compare(same, same);
  CHECK(equal.verdict == Verdict::NotDistinguishable);
  CHECK(equal.ks_distance == 0);
  CHECK(equal.ks_p == 1);
  CHECK(compare(same, std::vector<double>(50, 4.0)).verdict == Verdict::Different);
}

TEST_CASE("kolmogorov_smirnov: distance and p match known values, with ties and in either order") {
  // scipy.stats.ks_2samp([1, 2, 2, 3], [2, 2, 4]): F differs most between 3 and 4: 1 - 2/3.
  CHECK(kolmogorov_smirnov(std::vector<double>{1, 2, 2, 3}, std::vector<double>{2, 2, 4}).distance ==
        doctest::Approx(1.0 / 3));
  CHECK(kolmogorov_smirnov(std::vector<double>{1, 2}, std::vector<double>{5, 6}).distance == 1);
  // Q(1.3581) = 0.05 of the Kolmogorov distribution: with n = m = 800, root = 20, lambda = (20.1255) D.
  std::vector<double> a(800), b(800);
  std::iota(a.begin(), a.end(), 0);
  std::iota(b.begin(), b.end(), 54);  // D = 54 / 800 = 0.0675, lambda = 1.35847
  CHECK(kolmogorov_smirnov(a, b).p == doctest::Approx(0.05).epsilon(0.01));
  CHECK(kolmogorov_smirnov(b, a).p == kolmogorov_smirnov(a, b).p);
  CHECK(kolmogorov_smirnov({}, a).p == 1);
}

TEST_CASE("bootstrap: intervals agree with those of the textbook bootstrap, within sampling error") {
  const std::vector<double> a = lognormal(1, 150), b = lognormal(2, 220, 0.2);
  const Comparison c = compare(a, b, {.resamples = 4000});
  const auto near = [](const Interval& fast, const Interval& slow) {
    const double width = slow.high - slow.low;
    CHECK(std::abs(fast.low - slow.low) < 0.08 * width);
    CHECK(std::abs(fast.high - slow.high) < 0.08 * width);
  };
  near(c.of(DeltaOf::Mean).interval, drawn_interval(a, b, [](const auto& v) { return summarize_sorted(v).mean; }));
  near(c.of(DeltaOf::Median).interval, drawn_interval(a, b, [](const auto& v) { return quantile(v, 0.5); }));
  near(c.of(DeltaOf::P90).interval, drawn_interval(a, b, [](const auto& v) { return quantile(v, 0.9); }));
  near(c.of(DeltaOf::P99).interval, drawn_interval(a, b, [](const auto& v) { return quantile(v, 0.99); }));
}

TEST_CASE("bootstrap: the mean difference of many values has the interval of the normal approximation") {
  // Both have std 0.5, so the difference of the means of 40,000 values has std 0.5 sqrt(2 / 40000) = 0.0035355, and 95 % of such
  // differences lie within 1.96 times that: 0.00693.
  std::vector<double> values(40000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 0 : 1;
  const Interval interval = middle_of(mean_deltas(values, values, {.resamples = 20000}), 0.95);
  CHECK(interval.high == doctest::Approx(0.00693).epsilon(0.05));
  CHECK(interval.low == doctest::Approx(-0.00693).epsilon(0.05));
}

TEST_CASE("bootstrap: intervals are reproducible and depend on the seed") {
  const std::vector<double> a = lognormal(3, 90), b = lognormal(4, 90);
  CHECK(compare(a, b).of(DeltaOf::Mean).interval.low == compare(a, b).of(DeltaOf::Mean).interval.low);
  CHECK(compare(a, b).of(DeltaOf::Mean).interval.low != compare(a, b, {.seed = 2}).of(DeltaOf::Mean).interval.low);
  CHECK(SplitMix64(1).next() == 0x910a2dec89025cc1u);  // splitmix64 of seed 1
}

TEST_CASE("random: normal and gamma draws have the expected moments") {
  SplitMix64 random(5);
  const int n = 200000;
  double sum = 0, squares = 0, gammas = 0, gamma_squares = 0;
  for (int i = 0; i < n; ++i) {
    const double x = random.normal(), g = random.gamma(3);
    sum += x;
    squares += x * x;
    gammas += g;
    gamma_squares += g * g;
  }
  CHECK(std::abs(sum / n) < 0.01);
  CHECK(squares / n == doctest::Approx(1).epsilon(0.02));
  CHECK(gammas / n == doctest::Approx(3).epsilon(0.01));             // mean = shape
  CHECK(gamma_squares / n == doctest::Approx(12).epsilon(0.02));     // variance + mean^2 = 3 + 9
}

TEST_CASE("compare: two samples of one distribution are not distinguishable for at least 95 of 100 seeds") {
  for (const std::size_t n : {std::size_t{40}, std::size_t{512}}) {
    int alike = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Comparison c = compare(lognormal(2 * seed + 1, n), lognormal(2 * seed + 2, n));
      alike += c.verdict == Verdict::NotDistinguishable;
    }
    CAPTURE(n);
    CHECK(alike >= 95);
  }
}

TEST_CASE("compare: a shift of the distribution and a truncated tail are both detected") {
  int seen = 0, cut_seen = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<double> a = lognormal(seed, 1000), b = lognormal(seed + 1000, 1000, 0.2);
    seen += compare(a, b).verdict == Verdict::Different;
    std::vector<double> cut = lognormal(seed + 2000, 1000);
    for (double& v : cut) v = std::min(v, 18.0);  // P76
    cut_seen += compare(a, cut).verdict == Verdict::Different;
  }
  CHECK(seen == 20);
  CHECK(cut_seen == 20);
}

TEST_CASE("compare: matching by length removes a difference that is due only to length") {
  // Both sides: 5 ms per token and noise. B's answers are a third longer.
  for (const std::uint64_t seed : seeds(5)) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    HandRollout sketch;
    for (int step = 1; step <= 2; ++step) {
      std::lognormal_distribution<> length(step == 1 ? 5.0 : 5.3, 0.5);
      std::uniform_real_distribution<> noise(0, 0.2);
      for (int r = 0; r < 800; ++r) {
        const int tokens = static_cast<int>(length(random));
        sketch.add({.step = step, .seconds = tokens * 0.005 + noise(random), .tokens = tokens});
      }
      sketch.add({.step = step, .seconds = 1});  // without a token count
    }
    const auto rollout = sketch.build();
    RequestSet a, b;
    for (RequestIx r = 0; r < rollout->size(); ++r) (rollout->step[r] == 0 ? a : b).push_back(r);
    const MatchedSets matched = match_lengths(*rollout, a, b);
    CHECK(matched.without_tokens == 2);
    CHECK(matched.a.size() == matched.b.size());
    CHECK(matched.a.size() > 400);
    CHECK(matched.strata > 5);
    CHECK(std::ranges::includes(a, matched.a));
    CHECK(std::ranges::includes(b, matched.b));
    CHECK(std::ranges::adjacent_find(matched.a) == matched.a.end());
    const auto seconds = [&](const RequestSet& set) {
      std::vector<double> out;
      for (const RequestIx r : set) out.push_back(rollout->seconds[r]);
      return out;
    };
    const Comparison plain = compare(seconds(a), seconds(b)), fair = compare(seconds(matched.a), seconds(matched.b));
    CHECK(plain.verdict == Verdict::Different);
    CHECK(fair.verdict == Verdict::NotDistinguishable);
    CHECK(std::abs(fair.of(DeltaOf::Mean).delta()) < 0.1 * plain.of(DeltaOf::Mean).delta());
  }
  CHECK(match_lengths(*HandRollout().build(), {}, {}).strata == 0);
}

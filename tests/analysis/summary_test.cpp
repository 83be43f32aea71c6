#include "core/analysis/statistics/summary.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("summary: quantiles as numpy computes them") {
  // numpy.quantile([1, 2, 4, 8], [0, .5, .9, .95, 1]): h = 3 p = 1.5 -> 2 + 0.5 * 2 = 3; 2.7 -> 8 - 0.3 * 4 = 6.8
  const std::vector<double> four = {1, 2, 4, 8};
  CHECK(quantile(four, 0) == 1);
  CHECK(quantile(four, 0.5) == 3);
  CHECK(quantile(four, 0.9) == doctest::Approx(6.8).epsilon(1e-15));
  CHECK(quantile(four, 0.95) == doctest::Approx(7.4).epsilon(1e-15));
  CHECK(quantile(four, 1) == 8);
  CHECK(quantile(std::vector<double>{7}, 0.99) == 7);
  CHECK(std::isnan(quantile({}, 0.5)));
}

TEST_CASE("summary: mean, deviation, median and quantiles match a worked example") {
  // mean 5, squares 9 1 1 1 0 0 4 16: 32 / 8 = 4, std 2
  const Summary s = summarize(std::vector<double>{9, 2, 4, 4, 4, 5, 5, 7}, std::array{0.25, 0.5});
  CHECK(s.n == 8);
  CHECK(s.mean == 5);
  CHECK(s.std == 2);
  CHECK(s.sum == 40);
  CHECK(s.median == 4.5);
  CHECK(s.min == 2);
  CHECK(s.max == 9);
  REQUIRE(s.quantiles.size() == 2);
  CHECK(s.quantiles[0] == 4);
  CHECK(s.quantiles[1] == 4.5);
}

TEST_CASE("summary: empty samples give NaN, constant ones no deviation, and missing values are left out") {
  const Summary none = summarize({}, std::array{0.5});
  CHECK(none.n == 0);
  CHECK(std::isnan(none.mean));
  CHECK(std::isnan(none.max));
  CHECK(std::isnan(none.quantiles[0]));
  const Summary one = summarize(std::vector<double>{3.25});
  CHECK(one.mean == 3.25);
  CHECK(one.std == 0);
  const Summary equal = summarize(std::vector<double>(1000, 0.5));
  CHECK(equal.std == 0);
  CHECK(equal.median == 0.5);
  const Summary some = summarize(std::vector<double>{kNotMeasured, 1, kNotMeasured, 3});
  CHECK(some.n == 2);
  CHECK(some.mean == 2);
  CHECK(summarize(std::vector<double>{kNotMeasured}).n == 0);
}

TEST_CASE("summary: the median absolute deviation matches worked examples") {
  // median 3; distances 2 1 0 1 97: median 1
  CHECK(median_absolute_deviation(std::vector<double>{1, 2, 3, 4, 100}) == 1);
  CHECK(median_absolute_deviation(std::vector<double>{5, 5, 5}) == 0);
  CHECK(std::isnan(median_absolute_deviation({})));
}

TEST_CASE("summary: a quantile lies between the ranks around it, and quantiles rise") {
  for (const std::uint64_t seed : seeds(50)) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<double> values(static_cast<std::size_t>(random.in(1, 40)));
    for (double& v : values) v = random.chance(0.3) ? 1.0 : random.unit() * 100 - 50;
    const std::vector<double> sorted = sorted_measured(values);
    double before = -1e9;
    for (int k = 0; k <= 100; ++k) {
      const double p = k / 100.0, q = quantile(sorted, p);
      const double h = p * static_cast<double>(sorted.size() - 1);
      CHECK(q >= sorted[static_cast<std::size_t>(std::floor(h))]);
      CHECK(q <= sorted[static_cast<std::size_t>(std::ceil(h))]);
      CHECK(q >= before);
      before = q;
    }
  }
}

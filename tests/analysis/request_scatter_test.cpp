#include "core/analysis/requests/request_scatter.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "tests/support/gen_rollout.h"
#include "tests/support/gen_trace.h"
#include "tests/support/hand_rollout.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("correlate: coefficients and the fitted line match worked examples") {
  // x = 1 2 3 4, y = 2 4 5 9; the NaN pair is left out. Means 2.5 and 5; xx = 5, yy = 26, xy = 1.5*3 + .5*1 + 0 + 1.5*4
  // = 11. r = 11 / sqrt(130) = 0.96476; slope 2.2, intercept 5 - 5.5 = -0.5. Ranks are equal.
  const double nan = std::nan("");
  const Correlation c = correlate(std::vector<double>{1, 2, nan, 3, 4}, std::vector<double>{2, 4, 7, 5, 9});
  CHECK(c.n == 4);
  CHECK(c.pearson == doctest::Approx(11 / std::sqrt(130.0)));
  CHECK(c.spearman == doctest::Approx(1));
  CHECK(c.slope == doctest::Approx(2.2));
  CHECK(c.intercept == doctest::Approx(-0.5));
  // scipy.stats.spearmanr([1, 2, 2, 3], [4, 1, 3, 2]): ranks 1 2.5 2.5 4 and 4 1 3 2; -1.5*1.5 + 0 + 0 - 1.5*.5 = -3 over
  // sqrt(4.5 * 5).
  CHECK(correlate(std::vector<double>{1, 2, 2, 3}, std::vector<double>{4, 1, 3, 2}).spearman ==
        doctest::Approx(-3 / std::sqrt(22.5)));
  CHECK(ranks(std::vector<double>{5, 1, 5, 5}) == std::vector<double>{3, 1, 3, 3});
}

TEST_CASE("correlate: empty, single and constant values have no correlation") {
  CHECK(std::isnan(correlate({}, {}).pearson));
  CHECK(std::isnan(correlate(std::vector<double>{1}, std::vector<double>{1}).slope));
  const Correlation level = correlate(std::vector<double>{1, 2, 3}, std::vector<double>{4, 4, 4});
  CHECK(std::isnan(level.pearson));
  CHECK(level.slope == 0);
  CHECK(level.intercept == 4);
  CHECK(std::isnan(correlate(std::vector<double>{4, 4}, std::vector<double>{1, 2}).slope));
}

TEST_CASE("correlate: the fitted line has the least squared error") {
  std::mt19937_64 random(3);
  std::normal_distribution<> noise(0, 1);
  std::vector<double> x, y;
  for (int i = 0; i < 100; ++i) {
    x.push_back(1e6 + i);
    y.push_back(3 * i + noise(random));
  }
  const Correlation c = correlate(x, y);
  const auto squares = [&](double slope, double intercept) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += std::pow(y[i] - intercept - slope * x[i], 2);
    return sum;
  };
  const double least = squares(c.slope, c.intercept);
  CHECK(least < 200);
  CHECK(squares(c.slope * 1.0001, c.intercept) > least);
  CHECK(squares(c.slope, c.intercept + 0.1) > least);
}

TEST_CASE("request scatter: only requests with both values are plotted, and time shares match a worked example") {
  const auto rollout = HandRollout()
                           .add({.seconds = 2, .tokens = 10, .engine = 1, .tool = 0.5, .reward = 0.1})
                           .add({.seconds = 4})
                           .add({.seconds = 6, .tokens = 30, .engine = 3})
                           .build();
  const RequestScatter dots = request_scatter(*rollout, {0, 1, 2}, RequestField::tokens, RequestField::dur);
  CHECK(dots.requests == RequestSet{0, 2});
  CHECK(dots.x == std::vector<double>{10, 30});
  CHECK(dots.y == std::vector<double>{2, 6});
  CHECK(dots.left_out == 1);
  CHECK(dots.correlation.slope == doctest::Approx(0.2));
  // 1, 0.5, 0.1 and 0.4 (in no event) of 2 s.
  const TimeShares shares = time_shares(*rollout, 0u);
  CHECK(shares[0] == doctest::Approx(0.5));
  CHECK(shares[1] == doctest::Approx(0.25));
  CHECK(shares[2] == doctest::Approx(0.05));
  CHECK(shares[4] == doctest::Approx(0.2));
  // 4 of 12 s generating.
  CHECK(time_shares(*rollout, RequestSet{0, 1, 2})[0] == doctest::Approx(4.0 / 12));
  CHECK(std::isnan(time_shares(*rollout, RequestSet{})[0]));
}

TEST_CASE("request scatter: shares add up to one") {
  for (const std::uint64_t seed : seeds(10)) {
    CAPTURE(seed);
    const auto rollout = gen_rollout(seed);
    for (RequestIx r = 0; r < rollout->size(); ++r) {
      const TimeShares shares = time_shares(*rollout, r);
      CHECK(std::accumulate(shares.begin(), shares.end(), 0.0) == doctest::Approx(1));
    }
  }
}

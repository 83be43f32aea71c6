#include "core/view/picture/chart_ticks.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <tuple>

#include "core/view/picture/chart_scale.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string labels(double low, double high, ChartUnit unit, int most = 6, bool log = false) {
  std::string out;
  for (const ChartTick& tick : chart_ticks(low, high, log, unit, most)) out += (out.empty() ? "" : "|") + tick.label;
  return out;
}

ChartAxis axis_of(ChartUnit unit, bool log = false) {
  ChartAxis axis;
  axis.unit = unit;
  axis.log = log;
  return axis;
}

}  // namespace

TEST_CASE("chart_ticks: labels are formatted by unit") {
  CHECK(labels(0, 2, ChartUnit::Seconds) == "0|0.5|1.0|1.5|2.0");
  CHECK(labels(0, 0.02, ChartUnit::Seconds) == "0|5 ms|10 ms|15 ms|20 ms");
  CHECK(labels(0, 2e-5, ChartUnit::Seconds) == "0|5 \u00b5s|10 \u00b5s|15 \u00b5s|20 \u00b5s");
  CHECK(labels(0, 4000, ChartUnit::Seconds) == "0|1,000|2,000|3,000|4,000");
  CHECK(labels(0, 100, ChartUnit::Percent) == "0%|20%|40%|60%|80%|100%");
  CHECK(labels(0, 1'000'000, ChartUnit::Count) == "0|200,000|400,000|600,000|800,000|1,000,000");
  CHECK(labels(0, 3, ChartUnit::Count, 10) == "0|1|2|3");
  CHECK(labels(-1, 1, ChartUnit::None, 5) == "-1.0|-0.5|0|0.5|1.0");
  CHECK(labels(0.1, 0.3, ChartUnit::None, 3) == "0.1|0.2|0.3");
}

TEST_CASE("chart_ticks: logarithmic ticks are powers of ten, with 2 and 5 where there is room") {
  CHECK(labels(0.01, 100, ChartUnit::Seconds, 6, true) == "0.01|0.1|1|10|100");
  CHECK(labels(0.001, 10, ChartUnit::Seconds, 6, true) == "1 ms|10 ms|100 ms|1 s|10 s");
  CHECK(labels(1, 100, ChartUnit::Count, 7, true) == "1|2|5|10|20|50|100");
  CHECK(labels(1, 1e6, ChartUnit::Count, 4, true) == "1|100|10,000|1,000,000");
  CHECK(labels(15, 18, ChartUnit::None, 5, true) == "15|16|17|18");
  CHECK(chart_log_lines(1, 100).size() == 16);
  CHECK(chart_log_lines(0, 100).empty());
  CHECK(chart_log_lines(1, 1e9).empty());
}

TEST_CASE("chart_ticks: an empty or invalid range has no ticks") {
  CHECK(chart_ticks(1, 1, false, ChartUnit::None, 5).empty());
  CHECK(chart_ticks(2, 1, false, ChartUnit::None, 5).empty());
  CHECK(chart_ticks(NAN, 1, false, ChartUnit::None, 5).empty());
  CHECK(chart_ticks(0, INFINITY, false, ChartUnit::None, 5).empty());
  CHECK(chart_ticks(1e15, 1e15 + 0.001, false, ChartUnit::None, 5).empty());
}

TEST_CASE("chart_ticks: counts have ticks at whole numbers only") {
  for (const auto& [low, high, wanted] : {std::tuple(1.8, 2.2, 1u), {2.1, 2.9, 0u}, {-0.55, 3.55, 4u}, {0.5, 4.4, 4u}}) {
    const auto ticks = chart_ticks(low, high, false, ChartUnit::Count, 8);
    CHECK(ticks.size() == wanted);
    for (const ChartTick& tick : ticks) CHECK(tick.at == std::round(tick.at));
  }
}

TEST_CASE("chart_ticks: ticks of any range are inside it, in order, distinct and at most 12") {
  constexpr ChartUnit kUnits[] = {ChartUnit::None,  ChartUnit::Seconds, ChartUnit::Percent,
                                  ChartUnit::Count, ChartUnit::Tokens,  ChartUnit::TokensPerSecond};
  for (const std::uint64_t seed : seeds()) {
    Random random(seed);
    for (int round = 0; round < 300; ++round) {
      const double span = std::pow(10.0, random.unit() * 24 - 12);
      const bool log = random.chance(0.4);
      const double low = log ? std::pow(10.0, random.unit() * 20 - 10)
                             : (random.unit() - 0.5) * span * std::pow(10.0, random.unit() * 4);
      const double high = log ? low * (1.01 + std::pow(10.0, random.unit() * 12 - 2)) : low + span;
      const int most = static_cast<int>(random.in(0, 14));
      const ChartUnit unit = random.one_of(kUnits);
      CAPTURE(seed);
      CAPTURE(low);
      CAPTURE(high);
      CAPTURE(most);
      const auto ticks = chart_ticks(low, high, log, unit, most);
      const bool whole = unit == ChartUnit::Count || unit == ChartUnit::Tokens;
      const double numbers = whole ? std::floor(high) - std::ceil(low) + 1 : 2;
      REQUIRE(ticks.size() >= static_cast<std::size_t>(std::min(numbers, 2.0)));
      REQUIRE(ticks.size() <= 12);
      std::set<std::string> seen;
      for (std::size_t i = 0; i < ticks.size(); ++i) {
        REQUIRE(ticks[i].at >= low);
        REQUIRE(ticks[i].at <= high);
        if (i > 0) REQUIRE(ticks[i].at > ticks[i - 1].at);
        REQUIRE(!ticks[i].label.empty());
        if (std::fabs(low) < 1e9 && span > 1e-5) REQUIRE(seen.insert(ticks[i].label).second);
      }
    }
  }
}

TEST_CASE("chart_ticks: readouts format numbers and positions by unit") {
  CHECK(chart_number(0.573, ChartUnit::Seconds) == "573 ms");
  CHECK(chart_number(12.3456, ChartUnit::Seconds) == "12.35 s");
  CHECK(chart_number(1234, ChartUnit::Seconds) == "1,234 s");
  CHECK(chart_number(0, ChartUnit::Seconds) == "0 s");
  CHECK(chart_number(2.5e-6, ChartUnit::Seconds) == "2.5 \u00b5s");
  CHECK(chart_number(0.99994, ChartUnit::Seconds) == "999.9 ms");
  CHECK(chart_number(0.99996, ChartUnit::Seconds) == "1 s");
  CHECK(chart_number(-0.99996e-3, ChartUnit::Seconds) == "-1 ms");
  CHECK(chart_number(0.99996e-6, ChartUnit::Seconds) == "1 \u00b5s");
  CHECK(chart_number(45.678, ChartUnit::Percent) == "45.68%");
  CHECK(chart_number(1, ChartUnit::Tokens) == "1 token");
  CHECK(chart_number(1234567, ChartUnit::Tokens) == "1,234,567 tokens");
  CHECK(chart_number(-1234.5, ChartUnit::None) == "-1,234");  // half to even
  CHECK(chart_number(NAN, ChartUnit::Count) == "none");
  CHECK(chart_number(-INFINITY, ChartUnit::Count) == "-\u221e");
  CHECK(chart_number(1e-300, ChartUnit::None) == "1e-300");
  CHECK(chart_grouped(-0.001, 1) == "0.0");
  CHECK(chart_grouped(-1234567.891, 2) == "-1,234,567.89");

  ChartAxis axis = axis_of(ChartUnit::Seconds);
  axis.title = "request duration (s)";
  CHECK(chart_position(axis, 2) == "request duration 2 s");
  axis.categories = {"first", "second"};
  CHECK(chart_position(axis, 1.2) == "second");
  axis.categories = {"7"};
  axis.title = "step";
  CHECK(chart_position(axis, 0) == "step 7");
  axis.title = "request duration (s)";
  CHECK(chart_position(axis, 5) == "request duration 5 s");
}

TEST_CASE("chart_scale: the range of an axis follows its data, options and categories") {
  const auto range = [](std::vector<double> values, ChartAxis axis, double room = 0.05) {
    ChartExtent extent(axis.log);
    extent.add(values);
    return chart_range(axis, extent, room, 0.3);
  };
  const auto is = [](ChartRange r, double low, double high) {
    CAPTURE(r.low);
    CAPTURE(r.high);
    CHECK(r.low == doctest::Approx(low));
    CHECK(r.high == doctest::Approx(high));
  };
  ChartAxis plain;
  is(range({}, plain), 0, 1);
  is(range({10, 20}, plain), 9.5, 20.5);
  is(range({1, 20}, plain), 0, 20.95);
  is(range({5, 5}, plain), 4.5, 5.5);
  is(range({0}, plain), 0, 1);
  is(range({NAN, INFINITY, 10, 20}, plain), 9.5, 20.5);
  plain.from_zero = true;
  is(range({-20, -10}, plain), -21, 0);
  plain.least = 5;
  plain.most = 5;
  CHECK(range({1, 2}, plain).high > 5);
  ChartAxis log;
  log.log = true;
  is(range({}, log), 1, 10);
  is(range({-1, 0, 1, 100}, log, 0.5), 0.1, 1000);
  is(range({7}, log), 3.5, 14);
  ChartAxis named;
  named.categories = {"a", "b", "c"};
  is(range({100}, named), -0.5, 2.5);
}

TEST_CASE("chart_scale: pixels map to values and back") {
  for (const std::uint64_t seed : seeds()) {
    Random random(seed);
    for (int round = 0; round < 200; ++round) {
      const bool log = random.chance(0.5);
      const double low = log ? std::pow(10.0, random.unit() * 20 - 10) : (random.unit() - 0.5) * 1e6;
      const double high = log ? low * (1.1 + 1e6 * random.unit()) : low + random.unit() * 1e6 + 1e-3;
      const bool down = random.chance(0.5);
      const ChartScale scale({low, high}, log, down ? 600.0f : 20.0f, down ? 20.0f : 600.0f);
      const float px = static_cast<float>(20 + 580 * random.unit());
      CAPTURE(seed);
      REQUIRE(scale.px(scale.value(px)) == doctest::Approx(px).epsilon(1e-4));
      REQUIRE(scale.px(low) == doctest::Approx(scale.from()).epsilon(1e-4));
      REQUIRE(scale.px(high) == doctest::Approx(scale.to()).epsilon(1e-4));
    }
  }
  const ChartScale log({1, 10}, true, 0, 100);
  CHECK(std::isnan(log.px(0)));
  CHECK(std::isnan(log.px(-1)));
  CHECK(std::isnan(log.px(INFINITY)));
  CHECK(std::isfinite(log.px(1e300)));
  CHECK(log.px_clamped(1e300) == 100);
}

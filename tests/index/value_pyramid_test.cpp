#include "core/index/value_pyramid.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

AppendList<double> list_of(const std::vector<double>& values) {
  AppendList<double> list;
  list.own() = values;
  return list;
}

}  // namespace

TEST_CASE("value_pyramid: a single value is its own range") {
  const AppendList<double> values = list_of({3});
  CHECK(ValuePyramid::build(values).range(values, 0, 1) == ValueRange{3, 3});
}

TEST_CASE("value_pyramid: a spike among a million values shows only in ranges that contain it") {
  AppendList<double> values = list_of(std::vector<double>(1'000'000, 1.0));
  values.own()[123'457] = 99;
  const ValuePyramid pyramid = ValuePyramid::build(values);
  CHECK(pyramid.range(values, 0, values.size()).max == 99);
  CHECK(pyramid.range(values, 123'457, 123'458).max == 99);
  CHECK(pyramid.range(values, 0, 123'457).max == 1);
  CHECK(pyramid.range(values, 123'458, values.size()).max == 1);
}

TEST_CASE("value_pyramid: the extremes of any range equal those of a scan") {
  for (const std::uint64_t seed : seeds()) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<double> values(static_cast<std::size_t>(random.in(1, 5'000)));
    for (double& value : values) value = static_cast<double>(random.in(-1'000, 1'000));
    // A pyramid of values that came in several pieces, one after another.
    AppendList<double> list;
    ValuePyramid pyramid;
    std::size_t same = 0;
    for (std::size_t piece = 0; piece < 4; ++piece) {
      const std::size_t to = piece == 3 ? values.size() : static_cast<std::size_t>(random.in(static_cast<std::int64_t>(same), static_cast<std::int64_t>(values.size())));
      while (list.size() < to) list.push_back(values[list.size()]);
      list.share();
      pyramid = ValuePyramid::build(list, &pyramid, same);
      same = to;
    }
    for (int i = 0; i < 30; ++i) {
      const auto n = static_cast<std::int64_t>(values.size());
      const std::int64_t first = random.in(0, n - 1), last = random.in(first + 1, n);
      CAPTURE(first);
      CAPTURE(last);
      const auto [low, high] = std::minmax_element(values.begin() + first, values.begin() + last);
      REQUIRE(pyramid.range(list, static_cast<std::size_t>(first), static_cast<std::size_t>(last)) ==
              ValueRange{*low, *high});
    }
  }
}

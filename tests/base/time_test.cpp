#include "core/base/time.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/text/decimal_ns.h"
#include "core/base/text/iso_time.h"
#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

TEST_CASE("format_duration: durations have up to four digits and a fitting unit") {
  const std::pair<Ns, const char*> cases[] = {
      {0, "0 ns"},
      {1, "1 ns"},
      {-15, "-15 ns"},
      {999, "999 ns"},
      {1'000, "1 µs"},
      {1'234, "1.234 µs"},
      {12'340, "12.34 µs"},
      {123'400, "123.4 µs"},
      {999'940, "999.9 µs"},
      {999'960, "1 ms"},
      {999'999, "1 ms"},
      {1'000'000, "1 ms"},
      {1'500'000, "1.5 ms"},
      {99'999'999, "100 ms"},
      {999'999'999, "1 s"},
      {1'000'000'000, "1 s"},
      {-2'500'000'000, "-2.5 s"},
      {59'990'000'000, "59.99 s"},
      {3'599'000'000'000, "3599 s"},
      {3'599'949'999'999, "3599.9 s"},
      {3'599'950'000'000, "1 h 00 m"},
      {-3'599'960'000'000, "-1 h 00 m"},
      {3'600'000'000'000, "1 h 00 m"},
      {3'725'000'000'000, "1 h 02 m"},
      {-90'000'000'000'000, "-25 h 00 m"},
      {INT64_MAX, "2562047 h 47 m"},
      {INT64_MIN, "-2562047 h 47 m"},
  };
  for (const auto& [ns, text] : cases) {
    const auto& shown_ns = ns;  // clang 14: no binding in CAPTURE's lambda
    CAPTURE(shown_ns);
    CHECK(format_duration(ns) == text);
  }
}

TEST_CASE("format_duration: a longer duration is never shown as shorter") {
  for (Ns ns = 0; ns < 2'000'000; ns += 13) {
    const auto value = [](Ns time) {
      const std::string text = format_duration(time);
      const auto unit = text.find("ns") != text.npos ? 1 : text.find("µs") != text.npos ? kMicrosecond : kMillisecond;
      return decimal_ns(text.substr(0, text.find(' ')), unit).value();
    };
    CAPTURE(ns);
    REQUIRE(value(ns + 13) >= value(ns));
    REQUIRE(std::abs(value(ns) - ns) <= ns / 1999);  // half a unit of the fourth digit
  }
}

TEST_CASE("format_duration: at the borders of units, no number reaches its unit's limit and none is shorter than the one before") {
  constexpr Ns kMinute = 60 * kSecond, kHour = 60 * kMinute;
  std::vector<Ns> times;
  Random random(3);
  const auto add_around = [&](Ns border) {
    for (const Ns ns : {border - 1, border, border + 1}) times.push_back(ns);
    for (int i = 0; i < 1000; ++i) times.push_back(border + random.in(-border / 500, border / 500));
  };
  for (Ns border = 1; border <= 1000 * kSecond; border *= 10) add_around(border);
  for (const Ns border : {kMinute, kHour, 2 * kHour, 100 * kHour}) add_around(border);
  std::ranges::sort(times);
  Ns last = 0;
  for (const Ns ns : times) {
    const std::string text = format_duration(ns);
    CAPTURE(ns);
    CAPTURE(text);
    const Ns shown = decimal_time(text).value();
    REQUIRE(shown >= last);
    last = shown;
    if (text.ends_with(" m")) {
      REQUIRE(shown >= kHour);
      REQUIRE(ns - shown < kMinute);
      REQUIRE(shown - ns <= kSecond / 20);
    } else {
      REQUIRE(std::stod(text) < (text.ends_with(" s") ? 3600 : 1000));
      REQUIRE(std::abs(shown - ns) <= ns / 1999);  // half a unit of the fourth digit
    }
  }
}

TEST_CASE("format_exact: text is exact to the nanosecond and parses back") {
  CHECK(format_exact(0) == "0 ns");
  CHECK(format_exact(1'234) == "1.234 µs");
  CHECK(format_exact(1'234'567) == "1.234567 ms");
  CHECK(format_exact(1'000'000) == "1 ms");
  CHECK(format_exact(-1'000'000'001) == "-1.000000001 s");
  CHECK(format_exact(100'000'000'000) == "100 s");
  CHECK(format_exact(INT64_MAX) == "9223372036.854775807 s");
  CHECK(format_exact(INT64_MIN) == "-9223372036.854775808 s");
  Random random(5);
  for (int i = 0; i < 5000; ++i) {
    const Ns ns = static_cast<Ns>(random.next() >> random.in(1, 63)) * (random.chance(0.5) ? 1 : -1);
    const std::string text = format_exact(ns);
    CAPTURE(text);
    const auto blank = text.find(' ');
    const std::string unit = text.substr(blank + 1);
    const Ns unit_ns = unit == "ns" ? 1 : unit == "µs" ? kMicrosecond : unit == "ms" ? kMillisecond : kSecond;
    REQUIRE(decimal_ns(text.substr(0, blank), unit_ns) == ns);
  }
}

TEST_CASE("format_time: times have enough digits to distinguish neighbours") {
  CHECK(format_time(1'500'000'000, kMillisecond) == "1.500 s");
  CHECK(format_time(1'500'000'000, kSecond) == "1 s");
  CHECK(format_time(1'500'000'000, 1) == "1.500000000 s");
  CHECK(format_time(1'234'567, 1'000) == "1.234 ms");
  CHECK(format_time(-1'234'567, 1'000) == "-1.234 ms");
  CHECK(format_time(-400'000, kMillisecond) == "0 ms");
  CHECK(format_time(1'234, 100) == "1.2 µs");
  CHECK(format_time(999, 1) == "999 ns");
  CHECK(format_time(999, 0) == "999 ns");
  for (const Ns resolution : {1, 10, 100, 1'000, 1'000'000}) {
    for (Ns t = kSecond; t < kSecond + 50 * resolution; t += resolution) {
      CAPTURE(t);
      REQUIRE(format_time(t, resolution) != format_time(t + resolution, resolution));
    }
  }
}

TEST_CASE("format_wall_clock: Unix times become dates, and other clocks show plain times") {
  CHECK(format_wall_clock(1'752'404'665'706'221'000) == "2025-07-13 11:04:25.706221000");
  CHECK(format_wall_clock(1'709'164'800'000'000'001) == "2024-02-29 00:00:00.000000001");
  CHECK(format_wall_clock(951'868'799'999'999'999) == "2000-02-29 23:59:59.999999999");
  CHECK(format_wall_clock(1'500'000'000) == "1.5 s");
  CHECK(format_wall_clock(-5) == "-5 ns");
  Random random(9);
  for (int i = 0; i < 5000; ++i) {
    const Ns ns = random.in(700'000'000, 9'000'000'000) * kSecond + random.in(0, kSecond - 1);
    CAPTURE(ns);
    REQUIRE(iso_time_ns(format_wall_clock(ns)) == ns);
  }
}

TEST_CASE("time range: length, empty and include work for half-open ranges") {
  const TimeRange range{10, 20};
  CHECK(range.length() == 10);
  CHECK(!range.empty());
  CHECK(TimeRange{5, 5}.empty());
  CHECK(TimeRange{6, 5}.empty());
  TimeRange grown = range;
  grown.include(5, 12);
  CHECK(grown == TimeRange{5, 20});
}

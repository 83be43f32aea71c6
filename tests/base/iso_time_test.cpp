#include "core/base/text/iso_time.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "tests/support/gen_trace.h"

using namespace tv;
using namespace tv::test;

namespace {

constexpr Ns kDay = 86'400 * kSecond;

bool leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int days_in(int year, int month) {
  if (month == 2) return leap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Deliberately simple: counts year by year.
std::int64_t days_since_1970(int year, int month, int day) {
  std::int64_t days = 0;
  for (int y = 1970; y < year; ++y) days += leap(y) ? 366 : 365;
  for (int y = year; y < 1970; ++y) days -= leap(y) ? 366 : 365;
  for (int m = 1; m < month; ++m) days += days_in(year, m);
  return days + day - 1;
}

std::string date_text(int year, int month, int day, const char* rest) {
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02d-%02d%s", year, month, day, rest);
  return text;
}

}  // namespace

TEST_CASE("iso_time_ns: times as Python writes them are parsed") {
  const std::pair<const char*, Ns> cases[] = {
      {"1970-01-01T00:00:00", 0},
      {"1970-01-01T00:00:00.000000001", 1},
      {"1969-12-31T23:59:59.999999999", -1},
      {"2025-07-13T11:04:25.706221", 1'752'404'665'706'221'000},
      {"2025-07-13 11:04:25.706221", 1'752'404'665'706'221'000},
      {"2025-07-13T11:04:25", 1'752'404'665'000'000'000},
      {"2025-07-13T11:04:25.7", 1'752'404'665'700'000'000},
      {"2025-07-13T11:04:25.123456789", 1'752'404'665'123'456'789},
      {"2025-07-13T11:04:25,123", 1'752'404'665'123'000'000},
      {"2025-07-13T11:04:25.1234567899", 1'752'404'665'123'456'789},  // digits beyond nanoseconds are cut off
      {"2025-07-13T11:04:25Z", 1'752'404'665'000'000'000},
      {"2025-07-13T20:04:25+09:00", 1'752'404'665'000'000'000},
      {"2025-07-13T20:04:25+0900", 1'752'404'665'000'000'000},
      {"2025-07-13T05:34:25.5-05:30", 1'752'404'665'500'000'000},
      {"2025-07-13T11:34:25+00:30", 1'752'404'665'000'000'000},
      {"2024-02-29T00:00:00", 1'709'164'800'000'000'000},
      {"2000-02-29T12:00:00", 951'825'600'000'000'000},
      {"2016-12-31T23:59:60", 1'483'228'800'000'000'000},  // a leap second counts as the next second
  };
  for (const auto& [text, ns] : cases) {
    const auto& shown_text = text;  // clang 14: no binding in CAPTURE's lambda
    CAPTURE(std::string(shown_text));
    const auto found = iso_time_ns(text);
    REQUIRE(found.has_value());
    CHECK(*found == ns);
  }
}

TEST_CASE("iso_time_ns: malformed or out-of-range text gives none") {
  for (const char* text :
       {"", "2025", "2025-07-13", "2025-07-13T", "2025-07-13T11", "2025-07-13T11:04", "2025-7-13T11:04:25",
        "2025-07-13X11:04:25", "2025-07-13T11:04:25.", "2025-07-13T11:04:25.x", "2025-07-13T11:04:25+9",
        "2025-07-13T11:04:25+09:0", "2025-07-13T11:04:25 ", "2025-07-13T11:04:25ZZ", " 2025-07-13T11:04:25",
        "2025-00-13T11:04:25", "2025-13-13T11:04:25", "2025-07-00T11:04:25", "2025-07-32T11:04:25",
        "2025-06-31T11:04:25", "2025-02-29T11:04:25", "1900-02-29T00:00:00", "2025-07-13T24:00:00",
        "2025-07-13T11:60:00", "2025-07-13T11:04:61", "0001-01-01T00:00:00", "9999-01-01T00:00:00", "yesterday",
        "1752404665.706", "2025-07-13T11:04:25+24:00", "-025-07-13T11:04:25"}) {
    CAPTURE(std::string(text));
    CHECK(!iso_time_ns(text));
  }
}

TEST_CASE("iso_time_ns: all days of sampled years from 1678 to 2261 are parsed") {
  for (int year = 1678; year <= 2261; year += year < 1960 || year > 2040 ? 13 : 1) {
    for (int month = 1; month <= 12; ++month) {
      for (int day = 1; day <= days_in(year, month); ++day) {
        const std::string text = date_text(year, month, day, "T00:00:00");
        CAPTURE(text);
        REQUIRE(iso_time_ns(text) == days_since_1970(year, month, day) * kDay);
      }
      REQUIRE(!iso_time_ns(date_text(year, month, days_in(year, month) + 1, "T00:00:00")));
    }
  }
}

TEST_CASE("iso_time_ns: random times of day are parsed to the nanosecond") {
  Random random(1);
  for (int i = 0; i < 5000; ++i) {
    const auto h = random.in(0, 23), m = random.in(0, 59), s = random.in(0, 59), ns = random.in(0, 999'999'999);
    char text[64];
    std::snprintf(text, sizeof text, "2026-01-05T%02d:%02d:%02d.%09d", static_cast<int>(h), static_cast<int>(m),
                  static_cast<int>(s), static_cast<int>(ns));
    CAPTURE(std::string(text));
    REQUIRE(iso_time_ns(text) == days_since_1970(2026, 1, 5) * kDay + (h * 3600 + m * 60 + s) * kSecond + ns);
  }
}

TEST_CASE("log_time: cached parsing equals iso_time_ns for any sequence of texts") {
  Random random(11);
  LogTime log;
  for (int i = 0; i < 20'000; ++i) {
    std::string text(64, '\0');
    text.resize(static_cast<std::size_t>(std::snprintf(
        text.data(), text.size(), "2025-0%d-13T11:0%d:%02d.%06d", static_cast<int>(random.in(1, 2)), static_cast<int>(random.in(0, 1)),
        static_cast<int>(random.in(0, 62)), static_cast<int>(random.in(0, 999'999)))));
    if (random.chance(0.2)) text[static_cast<std::size_t>(random.in(0, 25))] = random.one_of(std::string_view("0959:/. T-"));
    if (random.chance(0.1)) text += random.chance(0.5) ? "Z" : "+01:00";
    if (random.chance(0.1)) text.resize(static_cast<std::size_t>(random.in(0, 26)));
    CAPTURE(text);
    CHECK(log.ns(text) == iso_time_ns(text));
  }
}

TEST_CASE("iso_time: zones in times are recognized, and offsets are named, rounded and validated") {
  for (const char* const zoned :
       {"2025-07-13T11:04:25Z", "2025-07-13T11:04:25.706221+08:00", "2025-07-13 11:04:25-0330"}) {
    CHECK(names_zone(zoned));
  }
  for (const char* const naive : {"2025-07-13T11:04:25", "2025-07-13 11:04:25.706221", ""}) CHECK(!names_zone(naive));
  CHECK(zone_name(0) == "UTC");
  CHECK(zone_name(8 * 3'600 * kSecond) == "UTC+8");
  CHECK(zone_name(-12'600 * kSecond) == "UTC-3:30");
  CHECK(nearest_zone(-25'199 * kSecond) == -7 * 3'600 * kSecond);
  CHECK(nearest_zone(451 * kSecond) == kZoneStep);
  CHECK(is_zone(kEastmostZone));
  CHECK(!is_zone(kEastmostZone + kZoneStep));
  CHECK(!is_zone(kSecond));
}

#include "core/base/time.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace tv {
namespace {

struct Unit {
  Ns ns;
  const char* name;
};

Unit unit_for(Ns magnitude) {
  if (magnitude < kMicrosecond) return {1, "ns"};
  if (magnitude < kMillisecond) return {kMicrosecond, "µs"};
  if (magnitude < kSecond) return {kMillisecond, "ms"};
  return {kSecond, "s"};
}

// Cuts trailing zeros of a fraction: "1.500" -> "1.5", "2.000" -> "2".
std::string trimmed(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits;
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

// Unsigned magnitude, exact for the most negative value too.
std::uint64_t magnitude_of(Ns ns) {
  return ns < 0 ? ~static_cast<std::uint64_t>(ns) + 1 : static_cast<std::uint64_t>(ns);
}

struct Date {
  std::int64_t year;
  unsigned month, day;
};

// Converts days since 1970-01-01 to a civil date; H. Hinnant, "chrono-compatible low-level date algorithms".
Date date_of(std::int64_t days) {
  days += 719468;
  const std::int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const auto doe = static_cast<unsigned>(days - era * 146097);
  const unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  const unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const unsigned mp = (5 * doy + 2) / 153;
  const unsigned month = mp < 10 ? mp + 3 : mp - 9;
  return {static_cast<std::int64_t>(yoe) + era * 400 + (month <= 2 ? 1 : 0), month,
          doy - (153 * mp + 2) / 5 + 1};
}

}  // namespace

std::string format_duration(Ns ns) {
  const std::uint64_t magnitude = magnitude_of(ns);
  const char* sign = ns < 0 ? "-" : "";
  constexpr std::uint64_t kHour = 3600ULL * kSecond, kRoundsToHour = kHour - kSecond / 20;  // would round to 3600 s
  if (magnitude >= kRoundsToHour) {
    const std::uint64_t minutes = std::max(magnitude, kHour) / (60ULL * kSecond);
    return fmt::format("{}{} h {:02} m", sign, minutes / 60, minutes % 60);
  }
  Unit unit = unit_for(static_cast<Ns>(magnitude));
  double value = static_cast<double>(magnitude) / static_cast<double>(unit.ns);
  if (value >= 999.95 && unit.ns > 1 && unit.ns < kSecond) {  // would round to 1000 of the unit
    unit = unit_for(1000 * unit.ns);
    value = 1;
  }
  const int decimals = unit.ns == 1 ? 0 : value < 10 ? 3 : value < 100 ? 2 : 1;
  return fmt::format("{}{} {}", sign, trimmed(fmt::format("{:.{}f}", value, decimals)), unit.name);
}

std::string format_exact(Ns ns) {
  const std::uint64_t magnitude = magnitude_of(ns);
  const Unit unit = unit_for(static_cast<Ns>(std::min<std::uint64_t>(magnitude, INT64_MAX)));
  const auto per = static_cast<std::uint64_t>(unit.ns);
  const int decimals = unit.ns == 1 ? 0 : unit.ns == kMicrosecond ? 3 : unit.ns == kMillisecond ? 6 : 9;
  std::string text = fmt::format("{}", magnitude / per);
  if (decimals > 0) text += fmt::format(".{:0{}}", magnitude % per, decimals);
  return fmt::format("{}{} {}", ns < 0 ? "-" : "", trimmed(std::move(text)), unit.name);
}

std::string format_time(Ns t, Ns resolution) {
  const std::uint64_t magnitude = magnitude_of(t);
  // On a ruler in seconds the beginning is "0 s", not "0 ns".
  const Unit unit = unit_for(std::max(resolution, static_cast<Ns>(std::min<std::uint64_t>(magnitude, INT64_MAX))));
  int decimals = 0;
  for (Ns step = unit.ns; step > std::max<Ns>(resolution, 1) && decimals < 9; step /= 10) ++decimals;
  const auto per = static_cast<std::uint64_t>(unit.ns);
  std::uint64_t scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  const std::uint64_t fraction = magnitude % per / (per / std::min(scale, per));
  const bool rounds_to_zero = magnitude / per == 0 && (decimals == 0 || fraction == 0);  // "0 ms", not "-0 ms"
  std::string text = fmt::format("{}{}", t < 0 && !rounds_to_zero ? "-" : "", magnitude / per);
  if (decimals > 0) text += fmt::format(".{:0{}}", fraction, decimals);
  return fmt::format("{} {}", text, unit.name);
}

std::string zone_name(Ns east) {
  if (east == 0) return "UTC";
  const Ns minutes = std::abs(east) / (60 * kSecond);
  std::string text = fmt::format("UTC{}{}", east < 0 ? '-' : '+', minutes / 60);
  if (minutes % 60 != 0) text += fmt::format(":{:02}", minutes % 60);
  return text;
}

std::string format_wall_clock(Ns absolute_ns) {
  constexpr Ns kYear1990 = 631'152'000 * kSecond;
  if (absolute_ns < kYear1990) return format_exact(absolute_ns);
  const std::int64_t seconds = absolute_ns / kSecond;
  const Date date = date_of(seconds / 86400);
  const std::int64_t of_day = seconds % 86400;
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:09}", date.year, date.month, date.day, of_day / 3600,
                     of_day / 60 % 60, of_day % 60, absolute_ns % kSecond);
}

}  // namespace tv

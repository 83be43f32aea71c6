// The program's unit of time: signed 64-bit nanoseconds.
//
// Times in a Trace are relative to Trace::origin_ns, its earliest event, so a double represents 104 days of them exactly. The
// absolute time is origin + time, and usually counts from the Unix epoch. Where clocks meet, types name them (clock_time.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace tv {

using Ns = std::int64_t;

inline constexpr Ns kMicrosecond = 1'000;
inline constexpr Ns kMillisecond = 1'000'000;
inline constexpr Ns kSecond = 1'000'000'000;
/// Times after this one are taken to count from the Unix epoch, earlier times from a boot or a program start.
inline constexpr Ns kYear2001 = 1'000'000'000 * kSecond;

/// Readers accept times from three years before a clock's zero (some events lie slightly before it) to 2065, and lengths of up to
/// thirty years. Sums and differences of a few such times fit into Ns, even if a file is damaged.
inline constexpr Ns kEarliestTime = -100'000'000 * kSecond, kLatestTime = 3'000'000'000 * kSecond;
inline constexpr Ns kLongestLength = 1'000'000'000 * kSecond;
inline bool is_time(Ns t) { return t >= kEarliestTime && t <= kLatestTime; }
inline bool is_length(Ns length) { return length >= -kLongestLength && length <= kLongestLength; }

/// Converts a log's duration in seconds. Invalid values become 0: negative ones, NaN, and 1e9 s or more.
inline Ns to_ns(double seconds) {
  return seconds > 0 && seconds < 1e9 ? static_cast<Ns>(std::llround(seconds * 1e9)) : 0;
}
inline double to_seconds(Ns ns) { return static_cast<double>(ns) * 1e-9; }

/// Time zones differ from UTC by whole quarters of an hour, from 12 hours behind to 14 hours ahead (IANA tz database,
/// offsets since 1972). `east` and `ahead`: how far the local time is ahead of UTC.
inline constexpr Ns kZoneStep = 900 * kSecond, kWestmostZone = -48 * kZoneStep, kEastmostZone = 56 * kZoneStep;
inline bool is_zone(Ns east) { return east % kZoneStep == 0 && east >= kWestmostZone && east <= kEastmostZone; }
inline Ns nearest_zone(Ns ahead) { return (ahead + (ahead < 0 ? -1 : 1) * kZoneStep / 2) / kZoneStep * kZoneStep; }
/// "UTC+8", "UTC-3:30", "UTC".
std::string zone_name(Ns east);

/// Half-open interval [begin, end). Empty when end <= begin.
struct TimeRange {
  Ns begin = 0;
  Ns end = 0;

  Ns length() const { return end - begin; }
  bool empty() const { return end <= begin; }
  bool operator==(const TimeRange&) const = default;

  /// Grows to cover [b, e). Even an empty range keeps its begin and end, so assign the first range to a default one.
  void include(Ns b, Ns e) {
    begin = std::min(begin, b);
    end = std::max(end, e);
  }
};

/// "1.234 ms", "15 ns", "2.5 s", "1 h 02 m": in the largest unit that fits, with at most three decimals.
std::string format_duration(Ns ns);

/// Exact to the nanosecond: "1.234567 ms". The largest unit is the second.
std::string format_exact(Ns ns);

/// A relative time with enough digits to distinguish times that are `resolution` apart:
/// format_time(1'500'000'000, kMillisecond) == "1.500 s".
std::string format_time(Ns t, Ns resolution);

/// "2025-07-13 11:04:25.706221000" (UTC) from 1990 on; earlier times as format_exact() writes them.
std::string format_wall_clock(Ns absolute_ns);

}  // namespace tv

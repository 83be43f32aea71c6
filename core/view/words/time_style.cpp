#include "core/view/words/time_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tv {
namespace {

Ns floor_of(Ns t, Ns step) { return t - ((t % step) + step) % step; }

// The shift by which all sources with content were aligned with other runs. None if shifts differ, because then no clock is
// right for all sources.
std::optional<Ns> common_shift(const Trace& trace) {
  std::optional<Ns> moved;
  for (const SourceInfo& source : trace.sources) {
    if (source.slices + source.instants + source.samples == 0) continue;
    if (moved && *moved != source.aligned.by) return std::nullopt;
    moved = source.aligned.by;
  }
  return moved.value_or(0);
}

struct Zone {
  Ns east = 0;
  std::string name;
};

// Logs in local time whose zone is known were converted to UTC. They are shown in their zone, which people expect; logs of several
// zones are shown in UTC.
Zone zone_of(const Trace& trace) {
  bool unknown = false, utc = false;
  std::optional<Ns> east;
  for (const SourceInfo& source : trace.sources) {
    if (source.slices + source.instants + source.samples == 0) continue;
    switch (source.clock_fit.evidence) {
      case ClockEvidence::NoZone:
        unknown = true;
        break;
      case ClockEvidence::Zone: {
        const Ns found = -source.clock_fit.offset;
        if (!is_zone(found) || (east && *east != found)) return {0, "UTC"};
        east = found;
        break;
      }
      default:
        utc |= source.wall_clock;
        break;
    }
  }
  if (unknown && !utc && !east) return {0, "local time, zone unknown"};
  if (east) return {*east, zone_name(*east)};
  return {0, unknown ? "UTC; the zone of local-time logs is unknown" : "UTC"};
}

int decimals_of(Ns resolution) {
  int decimals = 0;
  for (Ns step = kSecond; step > std::max<Ns>(resolution, 1); step /= 10) ++decimals;
  return decimals;
}

}  // namespace

std::string_view name(TimeFormat format) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(TimeFormat::kCount)> kNames = {
      "since begin", "wall clock", "since step", "seconds"};
  return kNames[static_cast<std::size_t>(format)];
}

std::optional<TimeFormat> time_format(std::string_view named) {
  while (!named.empty() && named.front() == ' ') named.remove_prefix(1);
  while (!named.empty() && named.back() == ' ') named.remove_suffix(1);
  for (int f = 0; f < static_cast<int>(TimeFormat::kCount); ++f) {
    if (name(static_cast<TimeFormat>(f)) == named) return static_cast<TimeFormat>(f);
  }
  return std::nullopt;
}

bool has_format(const Trace& trace, TimeFormat format, bool steps) {
  switch (format) {
    case TimeFormat::SinceBegin:
      return true;
    case TimeFormat::WallClock:
      return trace.origin_ns >= kYear2001 && common_shift(trace).has_value();
    case TimeFormat::SinceStep:
      return steps;
    case TimeFormat::Seconds:
      return trace.shown().end >= kLongTrace;  // else it looks like SinceBegin
    case TimeFormat::kCount:
      break;
  }
  return false;
}

TimeStyle time_style(const Trace& trace, TimeFormat format, const StepTime* step) {
  TimeStyle style;
  style.clock = trace.shown().end >= kLongTrace && format != TimeFormat::Seconds;
  if (format == TimeFormat::WallClock && has_format(trace, format, false)) {
    const Zone zone = zone_of(trace);
    style.zero = -(trace.origin_ns + zone.east - common_shift(trace).value_or(0));
    style.clock = true;
    style.of = zone.name;
  } else if (format == TimeFormat::SinceStep && step) {
    style.zero = step->begin;
    style.of = step->name;
  } else if (format != TimeFormat::Seconds) {
    format = TimeFormat::SinceBegin;
  }
  style.format = format;
  return style;
}

std::string date_text(Ns absolute) { return format_wall_clock(std::max<Ns>(absolute, kYear2001)).substr(0, 10); }

// Days are left out for a wall clock, because its date includes them.
std::string clock_text(Ns shown, Ns resolution, bool days) {
  const bool negative = shown < 0;
  // Times before zero are truncated towards zero.
  const std::uint64_t magnitude = negative ? ~static_cast<std::uint64_t>(shown) + 1 : static_cast<std::uint64_t>(shown);
  const std::uint64_t seconds = magnitude / static_cast<std::uint64_t>(kSecond);
  const std::uint64_t day = seconds / 86'400, of_day = seconds % 86'400;
  std::string text = negative ? "-" : "";
  if (days && day > 0) text += fmt::format("{}d ", day);
  const int hour_digits = days && day > 0 ? 2 : 1;
  text += fmt::format("{:0{}}:{:02}:{:02}", of_day / 3600, hour_digits, of_day / 60 % 60, of_day % 60);
  const int decimals = decimals_of(resolution);
  if (decimals > 0)
    text += fmt::format(".{:09}", magnitude % static_cast<std::uint64_t>(kSecond))
                .substr(0, static_cast<std::size_t>(decimals) + 1);
  return text;
}

std::string time_text(const TimeStyle& style, Ns t, Ns resolution) {
  const Ns shown = t - style.zero;
  if (style.dated()) {
    return date_text(shown) + " " + fmt::format("{:0>8}", clock_text(shown - floor_of(shown, kDay), kSecond, false)) +
           clock_text(shown - floor_of(shown, kSecond), resolution, false).substr(7);
  }
  if (style.clock && std::abs(shown) >= kSecond) return clock_text(shown, resolution, true);
  return style.clock && shown == 0 ? std::string("0:00:00") : format_time(shown, resolution);
}

std::string time_sentence(const TimeStyle& style, Ns t, Ns resolution) {
  std::string text = time_text(style, t, resolution);
  switch (style.format) {
    case TimeFormat::WallClock:
      return text + " " + style.of;
    case TimeFormat::SinceStep:
      return (t >= style.zero ? "+" : "") + text + " in " + style.of;
    default:
      return text;
  }
}

}  // namespace tv

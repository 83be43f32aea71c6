// How points of time are written: on the ruler, in details, in copied text. One choice for the whole window.
//
//   since begin   from the trace's beginning: 0:12:05, 1d 02:00:00 if the trace is long; else 12.5 s, 3 ms
//   wall clock    14:03:22, with the date, if the files have one: UTC, the zone of the logs if it is known, or
//                 their local time if the zone is unknown
//   since step    the same from the begin of a step
//   seconds       12.5 s, 14000 s: from the trace's beginning, as numbers for a script
//
// The displayed time is `t - zero`. Everything here is a pure function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/store/trace/trace.h"

namespace tv {

enum class TimeFormat : std::uint8_t { SinceBegin, WallClock, SinceStep, Seconds, kCount };
std::string_view name(TimeFormat format);  ///< "since begin"

/// Parses a name, ignoring surrounding blanks. None: no format has this name.
std::optional<TimeFormat> time_format(std::string_view named);

/// Traces at least this long show hours, minutes and seconds.
inline constexpr Ns kLongTrace = 600 * kSecond;
inline constexpr Ns kDay = 86'400 * kSecond;

struct TimeStyle {
  TimeFormat format = TimeFormat::SinceBegin;
  Ns zero = 0;         ///< relative to the trace's origin
  bool clock = false;  ///< hours, minutes and seconds, from one second on
  std::string of;      ///< what times refer to: "UTC", "local time, zone unknown", "step 67"

  bool dated() const { return format == TimeFormat::WallClock; }
  bool operator==(const TimeStyle&) const = default;
};

/// The name of a step and its begin, for times within it.
struct StepTime {
  std::string name;
  Ns begin = 0;
  bool operator==(const StepTime&) const = default;
};

/// Whether this format is meaningful here; `steps`: there are steps.
bool has_format(const Trace& trace, TimeFormat format, bool steps);
/// `step`: for SinceStep; null: times count from the beginning.
TimeStyle time_style(const Trace& trace, TimeFormat format, const StepTime* step);

/// "1:02:03.25", "2025-07-13 14:03:22.5", "12.5 ms": with enough digits to distinguish times that are `resolution` apart.
std::string time_text(const TimeStyle& style, Ns t, Ns resolution);
/// With its reference: "14:03:22 UTC", "+3.2 s in step 67".
std::string time_sentence(const TimeStyle& style, Ns t, Ns resolution);

/// "14:03:22.5" for a displayed time, with the number of days if `days`; "2025-07-13" for a time since 1970. For the ruler.
std::string clock_text(Ns shown, Ns resolution, bool days);
std::string date_text(Ns absolute);

}  // namespace tv

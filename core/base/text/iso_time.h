// ISO 8601 times as Python's datetime.isoformat() writes them.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/time.h"

namespace tv {

/// Converts "2025-07-13T11:04:25.706221" to nanoseconds since the Unix epoch: any number of decimals, a blank or T in the middle,
/// optionally Z, ±hh:mm or ±hhmm at the end. A time without a zone is taken as UTC; logs of one host then still agree with each
/// other.
std::optional<Ns> iso_time_ns(std::string_view text);

/// Whether a time for iso_time_ns() names its zone.
bool names_zone(std::string_view iso_time);

/// iso_time_ns() for the times of a log. Most are in the same minute as the previous one, so that minute is not parsed again.
class LogTime {
 public:
  std::optional<Ns> ns(std::string_view text);

 private:
  static constexpr std::size_t kMinute = sizeof("2025-07-13T11:04:") - 1;

  char minute_[kMinute] = {};  ///< the last parsed minute, as written
  Ns minute_ns_ = 0;
};

}  // namespace tv

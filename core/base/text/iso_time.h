// ISO 8601 times as Python's datetime.isoformat() writes them.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/time.h"

namespace tv {

/// Converts "2025-07-13T11:04:25.706221", with any number of decimals, a blank or T in the middle, an optional Z or ±hh:mm at the
/// end, to nanoseconds since the epoch. A time without zone is taken as UTC: logs of one host then agree with each other.
std::optional<Ns> iso_time_ns(std::string_view text);

/// Whether such a time names its zone.
bool names_zone(std::string_view iso_time);

/// The same for the times of a log. Most begin with the same minute as the previous one, which is then not parsed again.
class LogTime {
 public:
  std::optional<Ns> ns(std::string_view text);

 private:
  static constexpr std::size_t kMinute = sizeof("2025-07-13T11:04:") - 1;

  char minute_[kMinute] = {};  ///< as it is written
  Ns minute_ns_ = 0;
};

}  // namespace tv

#include "core/base/text/iso_time.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

namespace tv {
namespace {

// Takes fixed-width fields off the front of the text.
class Fields {
 public:
  explicit Fields(std::string_view text) : text_(text) {}

  bool number(int digits, int low, int high, int& value) {
    if (text_.size() < static_cast<std::size_t>(digits)) return false;
    value = 0;
    for (int i = 0; i < digits; ++i) {
      const char c = text_[static_cast<std::size_t>(i)];
      if (c < '0' || c > '9') return false;
      value = value * 10 + (c - '0');
    }
    text_.remove_prefix(static_cast<std::size_t>(digits));
    return value >= low && value <= high;
  }
  bool literal(char a, char b) {
    if (text_.empty() || (text_.front() != a && text_.front() != b)) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool literal(char c) { return literal(c, c); }
  bool empty() const { return text_.empty(); }

 private:
  std::string_view text_;
};

// Days since 1970-01-01 of a civil date; H. Hinnant, "chrono-compatible low-level date algorithms".
std::int64_t days_of(std::int64_t year, int month, int day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = year / 400;
  const std::int64_t yoe = year - era * 400;
  const std::int64_t doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

int days_in(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return kDays[month - 1] + (month == 2 && leap ? 1 : 0);
}

}  // namespace

std::optional<Ns> iso_time_ns(std::string_view text) {
  Fields f(text);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  const bool date = f.number(4, 1678, 2261, year) && f.literal('-') && f.number(2, 1, 12, month) && f.literal('-') &&
                    f.number(2, 1, 31, day);
  if (!date || day > days_in(year, month) || !f.literal('T', ' ')) return std::nullopt;
  const bool time = f.number(2, 0, 23, hour) && f.literal(':') && f.number(2, 0, 59, minute) && f.literal(':') &&
                    f.number(2, 0, 60, second);
  if (!time) return std::nullopt;
  Ns fraction = 0;
  if (f.literal('.', ',')) {
    int digit = 0;
    Ns unit = kSecond / 10;
    if (!f.number(1, 0, 9, digit)) return std::nullopt;
    do {
      fraction += unit * digit;
      unit /= 10;
    } while (f.number(1, 0, 9, digit));
  }
  std::int64_t zone_minutes = 0;
  if (const bool west = f.literal('-'); west || f.literal('+')) {
    int hours = 0, minutes = 0;
    if (!f.number(2, 0, 23, hours)) return std::nullopt;
    f.literal(':');
    if (!f.number(2, 0, 59, minutes)) return std::nullopt;
    zone_minutes = (west ? -1 : 1) * (hours * 60 + minutes);
  } else {
    f.literal('Z');
  }
  if (!f.empty()) return std::nullopt;
  const std::int64_t seconds =
      days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - zone_minutes * 60;
  return seconds * kSecond + fraction;
}

bool names_zone(std::string_view iso_time) {
  constexpr std::size_t kWhole = sizeof("2025-07-13T11:04:25") - 1;
  return iso_time.size() > kWhole && iso_time.find_first_of("Z+-", kWhole) != std::string_view::npos;
}

std::optional<Ns> LogTime::ns(std::string_view text) {
  constexpr std::size_t kWhole = sizeof("2025-07-13T11:04:25.706221") - 1;
  const auto digit = [&](std::size_t i) { return static_cast<unsigned>(text[i] - '0'); };
  if (text.size() == kWhole && std::memcmp(text.data(), minute_, kMinute) == 0 && text[kMinute + 2] == '.') {
    unsigned value = 0, largest = digit(kMinute);
    for (const std::size_t i : {0, 1, 3, 4, 5, 6, 7, 8}) {
      largest = std::max(largest, digit(kMinute + i));
      value = value * 10 + digit(kMinute + i);
    }
    if (largest <= 9 && digit(kMinute) <= 5) return minute_ns_ + Ns{value} * kMicrosecond;
  }
  const std::optional<Ns> found = iso_time_ns(text);
  if (found && text.size() == kWhole) {
    if (const std::optional<Ns> minute = iso_time_ns(std::string(text.substr(0, kMinute)) + "00")) {
      std::memcpy(minute_, text.data(), kMinute);
      minute_ns_ = *minute;
    }
  }
  return found;
}

}  // namespace tv

#include "core/base/text/log_stamp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "core/base/text/ascii.h"
#include "core/base/text/iso_time.h"

namespace tv {
namespace {

constexpr std::size_t kNear = 256;  // bytes searched at each end of the text before a message
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// Takes the parts of a time stamp off the front of a text.
class StampText {
 public:
  explicit StampText(std::string_view text) : text_(text), rest_(text) {}

  char front() const { return rest_.empty() ? '\0' : rest_.front(); }
  std::size_t taken() const { return text_.size() - rest_.size(); }
  bool word(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool any_of(std::string_view letters) {
    if (rest_.empty() || letters.find(rest_.front()) == letters.npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Takes exactly this many digits.
  std::optional<std::string_view> digits(std::size_t count) {
    if (rest_.size() < count || !std::ranges::all_of(rest_.substr(0, count), is_digit)) return std::nullopt;
    const std::string_view found = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return found;
  }
  std::string_view all_digits() {
    std::size_t count = 0;
    while (count < rest_.size() && is_digit(rest_[count])) ++count;
    return *digits(count);
  }

 private:
  std::string_view text_, rest_;
};

// Takes "10:00:02", or "100002" if the date has no separators either.
std::optional<std::string> clock_time(StampText& text, bool may_lack_colons) {
  const auto hour = text.digits(2);
  if (!hour) return std::nullopt;
  const bool colons = text.word(":");
  if (!colons && !may_lack_colons) return std::nullopt;
  const auto minute = text.digits(2);
  if (!minute || (colons && !text.word(":"))) return std::nullopt;
  const auto second = text.digits(2);
  return second ? std::optional(fmt::format("{}:{}:{}", *hour, *minute, *second)) : std::nullopt;
}

// Takes ".123456789" or ",123". Empty if there is none.
std::string fraction(StampText& text) {
  StampText ahead = text;
  if (!ahead.any_of(".,") || !is_digit(ahead.front())) return {};
  const std::string_view digits = ahead.all_digits();
  text = ahead;
  return fmt::format(".{}", digits.substr(0, 9));
}

// Takes "Z", "+02:00", "-0700", " +0200" or " UTC". Empty if there is none.
std::string zone(StampText& text) {
  const auto numeric = [](StampText& from) -> std::optional<std::string> {
    const bool west = from.front() == '-';
    if (!from.any_of("+-")) return std::nullopt;
    const auto hours = from.digits(2);
    if (!hours) return std::nullopt;
    from.word(":");
    const auto minutes = from.digits(2);
    return fmt::format("{}{}:{}", west ? '-' : '+', *hours, minutes.value_or("00"));
  };
  StampText ahead = text;
  const bool blank = ahead.word(" ");
  std::string found;
  if ((!blank && ahead.word("Z")) || ahead.word("UTC") || ahead.word("GMT")) {
    found = "Z";
  } else if (const std::size_t before = ahead.taken(); auto offset = numeric(ahead)) {
    // In "10:00:02 -12 ..." the "-12" is not a zone: after a blank, a zone has minutes.
    constexpr std::size_t kWhole = sizeof("+0200") - 1;
    if (!blank || ahead.taken() - before >= kWhole) found = std::move(*offset);
  }
  if (found.empty() || is_letter(ahead.front()) || is_digit(ahead.front())) return {};
  text = ahead;
  return found;
}

std::optional<LogStamp> stamp_of(const std::string& date, std::string_view time, std::string_view part,
                                 std::string_view zone, const StampText& text) {
  const auto ns = iso_time_ns(fmt::format("{}T{}{}{}", date, time, part, zone));
  if (!ns || *ns <= kYear2001 || !is_time(*ns)) return std::nullopt;
  return LogStamp{*ns, !zone.empty(), !part.empty(), text.taken()};
}

// Takes "2026-07-27T10:00:02.123Z", "2026/07/27 10:00:02", "20260727 10:00:02" or "20260727T100002".
std::optional<LogStamp> numbers_at_front(std::string_view whole) {
  StampText text(whole);
  const auto year = text.digits(4);
  if (!year) return std::nullopt;
  const char separator = text.front();
  const bool separated = text.any_of("-/.");
  const auto month = text.digits(2);
  if (!month || (separated && !text.word(std::string_view(&separator, 1)))) return std::nullopt;
  const auto day = text.digits(2);
  if (!day || !text.any_of("T _-")) return std::nullopt;
  const auto time = clock_time(text, !separated);
  if (!time) return std::nullopt;
  const std::string part = fraction(text), offset = zone(text);
  if (is_digit(text.front())) return std::nullopt;
  return stamp_of(fmt::format("{}-{}-{}", *year, *month, *day), *time, part, offset, text);
}

// Takes "1785146402.123456": seconds since the Unix epoch.
std::optional<LogStamp> seconds_at_front(std::string_view whole) {
  constexpr std::size_t kDigits = 10;  // the years 2001 to 2286
  StampText text(whole);
  const auto seconds = text.digits(kDigits);
  if (!seconds || is_digit(text.front())) return std::nullopt;
  const std::string part = fraction(text);
  if (part.size() < sizeof(".123") - 1 || is_letter(text.front())) return std::nullopt;
  const auto within = iso_time_ns(fmt::format("1970-01-01T00:00:00{}", part));
  const auto time = whole_number(*seconds);
  if (!within || !time || *time > kLatestTime / kSecond) return std::nullopt;
  return LogStamp{*time * kSecond + *within, true, true, text.taken()};
}

// Takes "Jul 27 10:00:02 2026", which follows a weekday, or "Jul 27 10:00:02".
std::optional<LogStamp> words_at_front(std::string_view whole, Ns written) {
  StampText text(whole);
  const auto month = std::ranges::find_if(kMonths, [&](std::string_view name) { return text.word(name); });
  if (month == kMonths.end() || !text.word(" ")) return std::nullopt;
  text.word(" ");
  const std::string_view day = text.all_digits();
  if (day.empty() || day.size() > 2 || !text.word(" ")) return std::nullopt;
  const auto time = clock_time(text, false);
  if (!time) return std::nullopt;
  const std::string part = fraction(text), offset = zone(text);
  const auto of_year = [&](std::string_view year, const StampText& taken) {
    return stamp_of(fmt::format("{}-{:02}-{:0>2}", year, month - kMonths.begin() + 1, day), *time, part, offset, taken);
  };
  StampText ahead = text;
  if (const auto year = ahead.word(" ") ? ahead.digits(4) : std::nullopt; year && !is_digit(ahead.front()))
    return of_year(*year, ahead);
  constexpr Ns kDay = 86'400 * kSecond, kYear = 365 * kDay + kDay / 4;
  if (written <= kYear2001) return std::nullopt;
  // Takes the latest year in which the stamp is not after `written`. Local time may be up to a day ahead.
  for (std::int64_t year = 1970 + (written + kDay) / kYear + 1, last = year - 6; year > last; --year) {
    const auto found = of_year(std::to_string(year), text);
    if (found && found->time <= written + kDay) return found;
  }
  return std::nullopt;
}

// Visits all stamps in a text, in order.
template <class F>
void for_each_stamp(std::string_view text, Ns written, F visit) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool inside_word = is_digit(before) || is_letter(before) || before == '.' || before == '-' || before == '/';
    if (inside_word || (!is_digit(text[at]) && !is_letter(text[at]))) continue;
    const auto stamp = stamp_at_front(text.substr(at), written);
    if (!stamp) continue;
    visit(*stamp);
    at += stamp->length - 1;
  }
}

// Whether two stamps of a line mean the same moment. The program's own stamp may be in local time and truncated to seconds.
bool same_moment(const LogStamp& launcher, const LogStamp& program) {
  constexpr Ns kLate = 2 * kSecond;  // delay in a pipe, and truncation
  const Ns later = launcher.time - program.time;
  const Ns east = program.zoned || !launcher.zoned ? 0 : -nearest_zone(later - kLate / 2);
  return is_zone(east) && later + east >= 0 && later + east < kLate;
}

}  // namespace

std::optional<LogStamp> stamp_at_front(std::string_view text, Ns written) {
  if (text.empty()) return std::nullopt;
  if (is_letter(text.front())) return words_at_front(text, written);
  if (auto stamp = numbers_at_front(text)) return stamp;
  return seconds_at_front(text);
}

std::optional<LogStamp> stamp_before_message(std::string_view before, Ns written) {
  std::optional<LogStamp> first, last;
  const auto note = [&](const LogStamp& stamp) {
    if (!first) first = stamp;
    last = stamp;
  };
  for_each_stamp(before.substr(0, std::min(before.size(), kNear)), written, note);
  if (before.size() > kNear) for_each_stamp(before.substr(std::max(kNear, before.size() - kNear)), written, note);
  if (!last) return std::nullopt;
  const bool first_says_more = (first->zoned && !last->zoned) || (first->fraction && !last->fraction);
  return first_says_more && same_moment(*first, *last) ? first : last;
}

}  // namespace tv

#include "core/view/menus/go_to.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text/ascii.h"
#include "core/base/text/decimal_ns.h"
#include "core/query/lane_filter.h"

namespace tv {
namespace {

std::string_view trimmed_words(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> digits_of(std::string_view text, std::size_t most_digits) {
  if (text.empty() || text.size() > most_digits) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

// Days from 1970-01-01 to a civil date. Source: H. Hinnant, "chrono-compatible low-level date algorithms".
std::int64_t days_of(std::int64_t year, std::int64_t month, std::int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = year / 400, of_era = year - era * 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

bool within(const Trace& trace, Ns t) { return t >= trace.extent.begin && t <= trace.extent.end; }

GoToPlace at_time(const TimeStyle& style, Ns t) {
  GoToPlace place;
  place.time = t;
  place.description = time_sentence(style, t, (t - style.zero) % kSecond == 0 ? kSecond : kMillisecond);
  return place;
}

Error not_in_trace(const Trace& trace, std::string_view text) {
  return {fmt::format("{} is beyond what was opened", text),
          {},
          {},
          fmt::format("what was opened lasts {}", format_duration(trace.extent.length()))};
}

// The first moment of the trace with this time of day.
std::optional<Ns> on_the_wall(const Trace& trace, Ns of_day) {
  if (of_day >= kDay || !has_format(trace, TimeFormat::WallClock, false)) return std::nullopt;
  const TimeStyle wall = time_style(trace, TimeFormat::WallClock, nullptr);
  const Ns begin = trace.extent.begin - wall.zero;
  Ns t = begin - (begin % kDay + kDay) % kDay + of_day + wall.zero;
  if (t < trace.extent.begin) t += kDay;
  return within(trace, t) ? std::optional(t) : std::nullopt;
}

Result<GoToPlace> place_of_clock(const Trace& trace, const TimeStyle& style, std::string_view text, Ns shown) {
  const std::optional<Ns> wall = on_the_wall(trace, shown);
  const Ns elapsed = shown + (style.dated() ? 0 : style.zero);
  if (wall && (style.dated() || !within(trace, elapsed)))
    return at_time(time_style(trace, TimeFormat::WallClock, nullptr), *wall);
  if (within(trace, elapsed)) return at_time(style, elapsed);
  return not_in_trace(trace, text);
}

Result<GoToPlace> place_of_step(const RunData& data, std::string_view wanted) {
  static const std::vector<StepSource> kNoSteps;
  const std::vector<StepSource>& sources = data.steps ? *data.steps : kNoSteps;
  const auto found = find_step(sources, wanted);
  if (!found) return found.error();
  GoToPlace place;
  place.range = found.value().range;
  place.description = found.value().text;
  const auto number = digits_of(wanted, 12);
  // Selects the step as a click in the strip does, so that the panels of a rollout or a log follow.
  for (std::uint32_t s = 0; number && data.rollout && s < data.rollout->steps.size(); ++s) {
    if (data.rollout->steps[s].step == *number && !place.rollout_step) place.rollout_step = s;
  }
  if (number && !place.rollout_step && data.training) {
    const auto& lines = data.training->log().steps;
    for (std::uint32_t s = 0; s < lines.size(); ++s) {
      if (lines[s].step == *number && TimeRange{lines[s].begin, lines[s].begin + lines[s].duration} == *place.range)
        place.training_line = s;
    }
  }
  return place;
}

// None if no id begins with this text.
std::optional<Result<GoToPlace>> place_of_request(const RunData& data, std::string_view text) {
  constexpr std::size_t kLeastLetters = 2;
  if (!data.rollout || text.size() < kLeastLetters) return std::nullopt;
  const Rollout& rollout = *data.rollout;
  std::vector<RequestIx> hits;
  for (RequestIx r = 0; r < rollout.size(); ++r) {
    if (!rollout.id(r).starts_with(text)) continue;
    if (rollout.id(r).size() == text.size()) {
      hits = {r};
      break;
    }
    hits.push_back(r);
  }
  if (hits.empty()) return std::nullopt;
  if (hits.size() > 1) {
    return Error{fmt::format("{} requests begin with {}", hits.size(), text),
                 {},
                 {},
                 fmt::format("type more of the id, as in {}", rollout.id(hits.front()))};
  }
  GoToPlace place;
  place.request = hits.front();
  place.description = fmt::format("request {}", rollout.id(hits.front()));
  return place;
}

}  // namespace

std::optional<Ns> clock_time(std::string_view text) {
  std::array<std::string_view, 3> parts;
  std::size_t n = 0;
  for (std::size_t at = 0;; ++n) {
    if (n == parts.size()) return std::nullopt;
    const std::size_t end = text.find(':', at);
    parts[n] = text.substr(at, end == std::string_view::npos ? end : end - at);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  if (n == 0) return std::nullopt;
  const auto first = digits_of(parts[0], 6);
  const auto minutes = n == 2 ? digits_of(parts[1], 2) : first;
  const std::string_view last = parts[n];
  const auto seconds =
      last.size() >= 2 && is_digit(last[0]) && is_digit(last[1]) ? decimal_ns(last, kSecond) : std::nullopt;
  if (!first || !minutes || !seconds || *seconds >= 60 * kSecond || (n == 2 && *minutes >= 60)) return std::nullopt;
  return ((n == 2 ? *first * 60 : 0) + *minutes) * 60 * kSecond + *seconds;
}

std::optional<Ns> dated_time(std::string_view text) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = digits_of(text.substr(0, 4), 4), month = digits_of(text.substr(5, 2), 2),
             day = digits_of(text.substr(8, 2), 2);
  if (!year || !month || !day || *month < 1 || *month > 12 || *day < 1) return std::nullopt;
  const bool december = *month == 12;
  if (*day > days_of(*year + (december ? 1 : 0), december ? 1 : *month + 1, 1) - days_of(*year, *month, 1)) return std::nullopt;
  Ns of_day = 0;
  if (text.size() > 10) {
    if (text[10] != ' ' && text[10] != 'T') return std::nullopt;
    const std::string_view clock = trimmed_words(text.substr(11));
    const bool hours_and_minutes = clock.size() == 5;
    const auto time = hours_and_minutes ? clock_time(std::string(clock) + ":00") : clock_time(clock);
    if (!time || *time >= kDay) return std::nullopt;
    of_day = *time;
  }
  // No trace has times outside these limits (is_time), so a clamped time is in no trace either.
  const std::int64_t days = std::clamp<std::int64_t>(days_of(*year, *month, *day), kEarliestTime / kDay, kLatestTime / kDay);
  return days * kDay + of_day;
}

Result<GoToPlace> find_place(const Trace& trace, const RunData& data, const TimeStyle& style, std::string_view text) {
  text = trimmed_words(text);
  if (text.empty())
    return Error{"no place was entered", {}, {}, "enter a time (12.5s, 1:02:03), a step (step 67), a lane (rank 3) or a request's id"};
  if (const auto dated = dated_time(text)) {
    if (!has_format(trace, TimeFormat::WallClock, false)) return Error{"what was opened has no wall clock", {}, {}, {}};
    const TimeStyle wall = time_style(trace, TimeFormat::WallClock, nullptr);
    if (!within(trace, *dated + wall.zero)) {
      return Error{fmt::format("{} is not in what was opened", text),
                   {},
                   {},
                   "what was opened lasts from " + time_sentence(wall, trace.extent.begin, kSecond) + " to " +
                       time_sentence(wall, trace.extent.end, kSecond)};
    }
    return at_time(wall, *dated + wall.zero);
  }
  if (const auto clock = clock_time(text)) return place_of_clock(trace, style, text, *clock);
  const std::string lower = lower_case(text);
  for (const std::string_view word : {"step", "iteration", "iter"}) {
    if (!lower.starts_with(word)) continue;
    const std::string_view rest = trimmed_words(text.substr(word.size()));
    if (!rest.empty() && is_digit(rest[0])) return place_of_step(data, rest);
  }
  // Requests come before times, because an id may consist of digits.
  if (const auto request = place_of_request(data, text); request && (request->ok() || !decimal_time(text)))
    return *request;
  if (const auto time = decimal_time(text)) {
    const Ns t = *time + (style.dated() ? 0 : style.zero);
    return within(trace, t) ? Result<GoToPlace>(at_time(style, t)) : not_in_trace(trace, text);
  }
  if (data.steps) {
    if (auto step = place_of_step(data, text)) return step;
  }
  const auto lanes = chosen_lanes(trace, text);
  if (!lanes) return lanes.error();
  const auto first = std::ranges::find(lanes.value().lanes, true);
  if (first == lanes.value().lanes.end()) {
    return Error{fmt::format("there is no time, step, lane or request \"{}\"", text), {}, {}, {}};
  }
  GoToPlace place;
  place.lane = id_at<LaneId>(static_cast<std::size_t>(first - lanes.value().lanes.begin()));
  place.description = joined_path(trace, place.lane);
  return place;
}

}  // namespace tv

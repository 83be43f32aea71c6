#include "core/read/megatron/megatron_line.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "core/base/text/ascii.h"
#include "core/base/text/iso_time.h"
#include "core/base/text/log_stamp.h"
#include "core/read/behind_launcher.h"

namespace tv {
namespace {

std::optional<Ns> wall_time(std::string_view text) {
  const std::optional<Ns> time = iso_time_ns(text);
  return time && *time > kYear2001 && is_time(*time) ? time : std::nullopt;
}

constexpr std::string_view kIterationWord = "iteration";
// The names that MindSpeed and NeMo 2 give to the time per iteration, in seconds.
constexpr std::string_view kSecondsOfIteration[] = {"iteration time", "train step timing in s"};

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The position after "   1000 " or "infinity", where a bar must follow.
std::size_t behind_total(std::string_view line, std::size_t at) {
  const std::size_t bar = line.find('|', at);
  if (bar == line.npos) return bar;
  const std::string_view total = without_blanks(line.substr(at, bar - at));
  const bool number = !total.empty() && std::ranges::all_of(total, is_digit);
  return number || total == "infinity" || total == "inf" ? bar : line.npos;
}

// A number at the beginning of the text, and where it ends.
struct LeadingNumber {
  double value = 0;
  std::size_t length = 0;
};

std::optional<LeadingNumber> leading_number(std::string_view text) {
  const std::size_t plus = text.starts_with('+') ? 1 : 0;
  double value = 0;
  const auto [end, wrong] = std::from_chars(text.data() + plus, text.data() + text.size(), value);
  if (wrong != std::errc()) return std::nullopt;
  return LeadingNumber{value, static_cast<std::size_t>(end - text.data())};
}

// The whole number at `at`, after blanks; moves `at` past it. Saturates if it does not fit.
std::optional<std::int64_t> digits_at(std::string_view text, std::size_t& at) {
  while (at < text.size() && text[at] == ' ') ++at;
  std::int64_t value = 0;
  const auto [end, wrong] = std::from_chars(text.data() + at, text.data() + text.size(), value);
  if (wrong == std::errc::result_out_of_range) {
    value = text[at] == '-' ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
  } else if (wrong != std::errc()) {
    return std::nullopt;
  }
  at = static_cast<std::size_t>(end - text.data());
  return value;
}

// "lm loss 7.64E+00", as written in 2020.
void take_without_sign(std::string_view segment, const TakeValue& take) {
  segment = without_blanks(segment);
  const std::size_t blank = segment.find_last_of(" \t");
  if (blank == segment.npos) return;
  const std::string_view last = segment.substr(blank + 1);
  const auto number = leading_number(last);
  if (number && number->length == last.size()) take(without_blanks(segment.substr(0, blank)), number->value);
}

// "lm loss: 1.2E+01", "lm loss=11.1", "iteration time: 270.1 s samples/sec: 3.8": names and numbers.
void take_segment(std::string_view segment, const TakeValue& take) {
  if (segment.find_first_of(":=") == segment.npos) return take_without_sign(segment, take);
  while (!segment.empty()) {
    const std::size_t sign = segment.find_first_of(":=");
    if (sign == segment.npos) return;
    const std::string_view name = without_blanks(segment.substr(0, sign));
    std::string_view rest = segment.substr(sign + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    const auto number = leading_number(rest);
    if (!number || name.empty()) return;
    take(name, number->value);
    rest.remove_prefix(number->length);
    // A unit may come between the number and the next name: "270.1 s samples/sec: 3.8".
    const std::size_t word = rest.find_first_not_of(" \t");
    if (word == rest.npos) return;
    const std::size_t after = rest.find(' ', word);
    const bool unit = after != rest.npos && after - word <= 3;
    segment = rest.substr(unit ? after : word);
  }
}

void take_segments(std::string_view text, const TakeValue& take) {
  while (!text.empty()) {
    const std::size_t bar = text.find('|');
    take_segment(text.substr(0, bar), take);
    if (bar == text.npos) return;
    text.remove_prefix(bar + 1);
  }
}

// The line without the text that a launcher put before it.
std::string_view behind_prefix(std::string_view line) {
  line = without_blanks(behind_launcher(line));
  for (;;) {
    const std::size_t sign = line.find_first_of(":=|");
    if (sign == line.npos || line[sign] == '|') return line;
    const std::string_view rest = without_blanks(line.substr(sign + 1));
    if (leading_number(rest)) return line;
    line = rest;
  }
}

void note_elapsed(std::optional<double>& elapsed_ms, std::string_view name, double value) {
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  const bool per_iteration = words.find("elapsed time per iteration") != words.npos;
  if (per_iteration) elapsed_ms = words.find("(s)") != words.npos ? value * 1000 : value;
  else if (std::ranges::find(kSecondsOfIteration, words) != std::end(kSecondsOfIteration) && !elapsed_ms)
    elapsed_ms = value * 1000;
}

}  // namespace

std::optional<MegatronIteration> megatron_iteration(std::string_view line, const TakeValue& take, Ns written) {
  for (std::size_t at = line.find(kIterationWord); at != line.npos; at = line.find(kIterationWord, at + 1)) {
    std::size_t next = at + kIterationWord.size();
    if (next == line.size() || (line[next] != ' ' && line[next] != '=' && line[next] != ':')) continue;
    ++next;
    const auto number = digits_at(line, next);
    while (next < line.size() && line[next] == ' ') ++next;
    if (!number || *number < 0 || next == line.size() || line[next] != '/') continue;
    next = behind_total(line, ++next);
    if (next == line.npos) continue;
    MegatronIteration found;
    found.iteration = std::min(*number, kMostIterations + 1);
    if (const auto stamp = stamp_before_message(line.substr(0, at), written)) {
      found.end = stamp->time;
      found.zoned = stamp->zoned;
    }
    take_segments(line.substr(next + 1), [&](std::string_view name, double value) {
      note_elapsed(found.elapsed_ms, name, value);
      take(name, value);
    });
    return found;
  }
  return std::nullopt;
}

std::optional<MegatronContinuation> megatron_continuation(std::string_view line, const TakeValue& take) {
  if (line.find('|') == line.npos) return std::nullopt;
  MegatronContinuation found;
  bool any = false;
  for (std::string_view rest = behind_prefix(line); !rest.empty();) {
    const std::size_t bar = rest.find('|');
    bool is_value = false;
    take_segment(rest.substr(0, bar), [&](std::string_view name, double value) {
      note_elapsed(found.elapsed_ms, name, value);
      take(name, value);
      is_value = true;
    });
    if (!is_value) return std::nullopt;
    any = true;
    if (bar == rest.npos) break;
    rest = without_blanks(rest.substr(bar + 1));
  }
  return any ? std::optional(found) : std::nullopt;
}

bool ends_with_value(std::string_view line) {
  const std::string_view last = line.substr(line.rfind('|') + 1);  // the whole line if there is no bar
  const std::size_t sign = std::min(last.find(':'), last.find('='));
  if (sign == last.npos) return false;
  const std::string_view value = without_blanks(last.substr(sign + 1));
  const auto number = leading_number(value);
  return number && number->length == value.size();
}

std::optional<MegatronTimer> megatron_timer(std::string_view line) {
  const std::size_t colon = line.find(".: ");
  if (colon == line.npos) return std::nullopt;
  std::size_t dots = colon;
  while (dots > 0 && line[dots] == '.') --dots;
  if (line[dots] != ' ') return std::nullopt;
  std::string_view name = without_blanks(line.substr(0, dots));
  // Skip the text that a launcher puts before a line.
  if (const std::size_t prefix = name.find_last_of(" \t"); prefix != name.npos) name.remove_prefix(prefix + 1);
  std::string_view rest = without_blanks(line.substr(colon + 2));
  const bool pair = rest.starts_with('(');
  if (pair) rest.remove_prefix(1);
  const auto least = leading_number(rest);
  if (!least || name.empty()) return std::nullopt;
  rest.remove_prefix(least->length);
  if (!pair) return rest.empty() ? std::optional(MegatronTimer{name, least->value, least->value}) : std::nullopt;
  if (!rest.starts_with(',')) return std::nullopt;
  rest = without_blanks(rest.substr(1));
  const auto most = leading_number(rest);
  if (!most || rest.substr(most->length) != ")") return std::nullopt;
  return MegatronTimer{name, least->value, most->value};
}

std::optional<std::string_view> megatron_timer_head(std::string_view line) {
  line = without_blanks(line);
  if (!line.ends_with(':')) return std::nullopt;
  std::string_view name = line.substr(0, line.size() - 1);
  if (const std::size_t prefix = name.find_last_of(" \t"); prefix != name.npos) name.remove_prefix(prefix + 1);
  const bool word = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '/' || c == '_';
  });
  return word ? std::optional(name) : std::nullopt;
}

std::optional<MegatronRank> megatron_rank(std::string_view line) {
  constexpr std::string_view kRank = "     rank ";
  const std::size_t at = line.find(kRank);
  if (at == line.npos) return std::nullopt;
  std::size_t next = at + kRank.size();
  const auto rank = digits_at(line, next);
  if (!rank || next + 1 >= line.size() || line[next] != ':') return std::nullopt;
  const auto value = leading_number(without_blanks(line.substr(next + 1)));
  if (!value) return std::nullopt;
  return MegatronRank{*rank, value->value};
}

bool megatron_times(std::string_view line, const TakeValue& take) {
  constexpr std::string_view kTimes = "time (ms) |";
  const std::size_t at = line.find(kTimes);
  if (at == line.npos) return false;
  take_segments(line.substr(at + kTimes.size()), take);
  return true;
}

std::optional<std::int64_t> megatron_memory(std::string_view line, const TakeRankValue& take) {
  constexpr std::string_view kMemory = "memory (MB) |", kRank = "[Rank ", kAfter = "(after ";
  std::optional<std::int64_t> iteration;
  for (std::size_t at = line.find(kRank); at != line.npos;) {
    const std::size_t next = line.find(kRank, at + 1);
    const std::string_view message = line.substr(at, next == line.npos ? next : next - at);
    at = next;
    const std::size_t after = message.find(kAfter), memory = message.find(kMemory);
    if (after == message.npos || memory == message.npos || after > memory) continue;
    std::size_t number = kRank.size(), count = after + kAfter.size();
    const auto rank = digits_at(message, number);
    const auto iterations = digits_at(message, count);
    if (!rank || !iterations || *iterations < 0 || *iterations > kMostIterations) continue;
    iteration = iterations;
    take_segments(message.substr(memory + kMemory.size()), [&](std::string_view name, double value) {
      take(std::string("memory_mb/").append(name), *rank, value);
    });
  }
  return iteration;
}

std::optional<std::int64_t> megatron_validation(std::string_view line, const TakeValue& take) {
  constexpr std::string_view kValidation = "validation loss at ";
  const std::size_t at = line.find(kValidation);
  if (at == line.npos) return std::nullopt;
  const std::size_t bar = line.find('|', at);
  if (bar == line.npos) return std::nullopt;
  std::size_t number = line.find(kIterationWord, at);
  std::optional<std::int64_t> iteration;
  if (number != line.npos && number < bar) iteration = digits_at(line, number += kIterationWord.size());
  take_segments(line.substr(bar + 1), [&](std::string_view name, double value) {
    take(std::string("validation/").append(name), value);
  });
  return iteration && *iteration >= 0 && *iteration <= kMostIterations ? *iteration : -1;
}

std::optional<MegatronEvent> megatron_event(std::string_view line) {
  constexpr std::string_view kDate = "] datetime: ", kStage = "STAGE:", kCompleted = "Completed Stage: ";
  if (const std::size_t at = line.find(kDate); at != line.npos) {
    const std::size_t open = line.rfind('[', at);
    if (open == line.npos) return std::nullopt;
    const std::string_view time = without_blanks(line.substr(at + kDate.size()));
    return MegatronEvent{line.substr(open + 1, at - open - 1), wall_time(time), {}, names_zone(time)};
  }
  if (const std::size_t at = line.find(kStage); at != line.npos) {
    constexpr std::size_t kTime = 19;
    const std::size_t completed = line.find(kCompleted, at);
    if (completed == line.npos) return std::nullopt;
    MegatronEvent event;
    event.name = without_blanks(line.substr(completed));
    event.time = wall_time(line.substr(at + kStage.size(), kTime));
    std::size_t pid = at + kStage.size() + kTime;
    event.pid = digits_at(line, pid);
    return event;
  }
  for (const std::string_view words : {"saving checkpoint at", "successfully saved checkpoint"}) {
    if (line.find(words) != line.npos) return MegatronEvent{words, {}, {}, false};
  }
  return std::nullopt;
}

}  // namespace tv

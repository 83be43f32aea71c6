#include "core/read/behind_launcher.h"

#include <algorithm>

#include "core/base/text/ascii.h"
#include "core/base/text/log_stamp.h"
#include "core/base/text/terminal_codes.h"

namespace tv {
namespace {

bool in_word(char c) {
  return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'z') || c == '-' || c == '_' || c == '.' || c == '/' ||
         c == '@';
}

std::size_t word_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && in_word(text[length])) ++length;
  return length;
}

// Matches "Jul 27 10:00:02 " (syslog, journalctl) and "Mon Jul 27 10:00:02 " (others), stamps without a year.
std::size_t short_date_length(std::string_view text) {
  constexpr std::string_view kWord = "Jul ", kRest = "27 10:00:02";
  const auto begins_with_word = [&](std::string_view part) {
    return part.size() > kWord.size() && part.front() >= 'A' && part.front() <= 'Z' && part[1] >= 'a' && part[1] <= 'z' &&
           part[2] >= 'a' && part[2] <= 'z' && part[3] == ' ';
  };
  std::size_t at = 0;
  while (at < 2 * kWord.size() && begins_with_word(text.substr(at))) at += kWord.size();
  const std::string_view rest = text.substr(at);
  const auto matches = [&] {
    if (rest.size() < kRest.size()) return false;
    for (std::size_t i = 0; i < kRest.size(); ++i) {
      const bool may_be_blank = i == 0 && rest[i] == ' ';
      if (is_digit(kRest[i]) ? !is_digit(rest[i]) && !may_be_blank : rest[i] != kRest[i]) return false;
    }
    return true;
  };
  if (at == 0 || !matches()) return 0;
  std::size_t end = kRest.size();
  if (end < rest.size() && rest[end] == '.') ++end;
  while (end < rest.size() && is_digit(rest[end])) ++end;
  return at + end;
}

// Matches "[default7]:", "(raylet) " and "<stdout>:", but not the metric "[LM]TFLOPs=20".
std::size_t group_length(std::string_view text) {
  constexpr std::string_view kOpen = "[(<", kClose = "])>";
  const std::size_t kind = text.empty() ? kOpen.npos : kOpen.find(text.front());
  if (kind == kOpen.npos) return 0;
  const std::size_t close = text.find(kClose[kind]);
  if (close == text.npos || text.substr(0, close).find('|') != text.npos) return 0;
  const std::size_t after = close + 1;
  if (after == text.size()) return after;
  return text[after] == ':'                                                                        ? after + 1
         : text[after] == ' ' || text[after] == '[' || text[after] == '<' || text[after] == '\x1b' ? after
                                                                                                   : 0;
}

// Matches "0: " of srun, "trainer-1  | " of docker compose, and "run.sh[12]: " of syslog, with or without the host before it.
std::size_t label_length(std::string_view text) {
  const std::size_t word = word_length(text);
  if (word == 0) return 0;
  const std::string_view rest = text.substr(word);
  const bool number = std::ranges::all_of(text.substr(0, word), is_digit);
  if (number && rest.starts_with(": ")) return word + 2;
  const std::size_t bar = rest.find_first_not_of(' ');
  if (bar != rest.npos && bar > 0 && rest[bar] == '|' && rest.substr(bar + 1).starts_with(' ')) return word + bar + 2;
  const std::size_t second = rest.starts_with(' ') ? 1 + word_length(rest.substr(1)) : 0;
  const std::string_view pid = rest.substr(second);
  const std::size_t close = pid.find("]: ");
  const bool is_pid =
      pid.starts_with('[') && close != pid.npos && close > 1 && std::ranges::all_of(pid.substr(1, close - 1), is_digit);
  return is_pid ? word + second + close + 3 : 0;
}

}  // namespace

std::string_view behind_launcher(std::string_view line) {
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    std::size_t length = terminal_code_length(line);
    if (length == 0) {
      if (const auto stamp = stamp_at_front(line)) length = stamp->length;
    }
    if (length == 0) length = short_date_length(line);
    if (length == 0) length = group_length(line);
    if (length == 0) length = label_length(line);
    if (length == 0) return line;
    line.remove_prefix(length);
  }
}

}  // namespace tv

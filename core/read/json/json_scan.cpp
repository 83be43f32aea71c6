#include "core/read/json/json_scan.h"

#include <array>
#include <optional>

namespace tv {
namespace {

enum Class : std::uint8_t { kOther, kQuote, kOpen, kClose, kComma };

constexpr std::array<std::uint8_t, 256> kClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  classes['"'] = kQuote;
  classes['{'] = classes['['] = kOpen;
  classes['}'] = classes[']'] = kClose;
  classes[','] = kComma;
  return classes;
}();

constexpr std::size_t kLongestKey = 64;

// Whether JSON structure follows a newline inside a string. Nullopt if there is too little text to tell.
std::optional<bool> structure_follows(std::string_view text, std::size_t at, bool last) {
  while (at < text.size() && is_blank(text[at])) ++at;
  if (at == text.size()) return last ? std::optional(false) : std::nullopt;
  if (text[at] == '}') {
    for (++at; at < text.size(); ++at) {
      if (is_blank(text[at])) continue;
      return text[at] == ',' || text[at] == ']' || text[at] == '}';
    }
    return last ? std::optional(true) : std::nullopt;
  }
  if (text[at] == '{') {  // the next record
    for (++at; at < text.size() && is_blank(text[at]);) ++at;
    if (at == text.size()) return last ? std::optional(false) : std::nullopt;
  }
  if (text[at] != '"') return false;
  std::size_t end = at + 1;
  while (end < text.size() && end - at < kLongestKey && text[end] != '"' && text[end] != '\n') ++end;
  if (end == text.size()) return last ? std::optional(false) : std::nullopt;
  if (text[end] != '"') return false;
  for (++end; end < text.size(); ++end) {
    if (!is_blank(text[end])) return text[end] == ':';
  }
  return last ? std::optional(false) : std::nullopt;
}

// A broken string may have swallowed the end of its record. If the next record begins after the newline, returns one past the '}'
// before the newline; else npos.
std::size_t record_end_before(std::string_view text, std::size_t newline) {
  const std::size_t next = text.find_first_not_of(" \t\r\n", newline);
  if (next == std::string_view::npos || text[next] != '{') return std::string_view::npos;
  std::size_t end = newline;
  while (end > 0 && (is_blank(text[end - 1]) || text[end - 1] == ',')) --end;
  return end > 0 && text[end - 1] == '}' ? end : std::string_view::npos;
}

}  // namespace

template <bool kStopAtSeparator>
JsonScan::Step JsonScan::scan(std::string_view text, std::size_t at, bool last) {
  const std::size_t n = text.size();
  while (at < n) {
    if (in_string_) {
      const char c = text[at];
      if (c == '"') {
        in_string_ = false;
      } else if (c == '\\') {
        if (at + 1 == n && !last) return {Status::More, at};
        ++at;
      } else if (c == '\n') {
        const std::optional<bool> broken = structure_follows(text, at + 1, last);
        if (!broken) return {Status::More, at};
        in_string_ = !*broken;
        if (in_string_) {  // avoids the same check at each further newline
          while (at < n && is_blank(text[at])) ++at;
          continue;
        }
        if (const std::size_t end = !kStopAtSeparator ? record_end_before(text, at) : std::string_view::npos;
            end != std::string_view::npos) {
          return {Status::Done, end};
        }
      }
      ++at;
      continue;
    }
    switch (kClasses[static_cast<unsigned char>(text[at])]) {
      case kQuote: in_string_ = true; break;
      case kOpen: ++depth_; break;
      case kClose:
        if (kStopAtSeparator && depth_ == 0) return {Status::Done, at};
        --depth_;
        if (!kStopAtSeparator && depth_ == 0) return {Status::Done, at + 1};
        break;
      case kComma:
        if (kStopAtSeparator && depth_ == 0) return {Status::Done, at};
        break;
      default: break;
    }
    ++at;
  }
  return {Status::More, n};
}

JsonScan::Step JsonScan::run(std::string_view text, std::size_t at, bool last) { return scan<false>(text, at, last); }

JsonScan::Step JsonScan::run_value(std::string_view text, std::size_t at, bool last) {
  return scan<true>(text, at, last);
}

std::size_t json_value_length(std::string_view text) {
  JsonScan scan;
  const JsonScan::Step step = scan.run(text, 0, true);
  return step.status == JsonScan::Status::Done ? step.at : std::string_view::npos;
}

}  // namespace tv

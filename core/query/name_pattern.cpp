#include "core/query/name_pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

// RE2 compiles an expression to a program of instructions. If it cannot run the program as a DFA, the time per character of a
// name grows with the number of instructions.
constexpr int kLargestProgram = 2000;

// The number of the character at a byte, from 1.
std::size_t character_at(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte);
  return 1 + static_cast<std::size_t>(
                 std::ranges::count_if(before, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// The position of an unpaired bracket of this kind. RE2 gives no position for these errors.
std::optional<std::size_t> unpaired(std::string_view text, char bracket) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\') {
      ++i;
    } else if (c == '[') {
      const std::size_t begin = i++;
      if (i < text.size() && text[i] == '^') ++i;
      if (i < text.size() && text[i] == ']') ++i;  // a ] in first place is a character of the class
      while (i < text.size() && text[i] != ']') i += text[i] == '\\' ? 2 : 1;
      if (i >= text.size()) return bracket == '[' ? std::optional(begin) : std::nullopt;
    } else if (c == '(') {
      open.push_back(i);
    } else if (c == ')') {
      if (open.empty()) return bracket == ')' ? std::optional(i) : std::nullopt;
      open.pop_back();
    }
  }
  return bracket == '(' && !open.empty() ? std::optional(open.back()) : std::nullopt;
}

Error complaint_of(const RE2& regex, std::string_view text) {
  const std::string& part = regex.error_arg();
  const std::size_t found = text.find(part);
  std::optional<std::size_t> place;
  if (!part.empty() && found != std::string_view::npos) place = found;
  std::string message;
  switch (regex.error_code()) {
    case RE2::ErrorMissingParen:
      message = "( is never closed";
      place = unpaired(text, '(');
      break;
    case RE2::ErrorUnexpectedParen:
      message = ") has no opening (";
      place = unpaired(text, ')');
      break;
    case RE2::ErrorMissingBracket:
      message = "[ is never closed";
      place = unpaired(text, '[');
      break;
    case RE2::ErrorTrailingBackslash:
      message = "\\ has nothing after it";
      place = text.size() - 1;
      break;
    case RE2::ErrorRepeatArgument: message = fmt::format("there is nothing before {} to repeat", part); break;
    case RE2::ErrorRepeatOp: message = fmt::format("{} repeats a repetition", part); break;
    case RE2::ErrorRepeatSize: message = fmt::format("{} repeats more than 1000 times, or has the larger number first", part); break;
    case RE2::ErrorBadEscape: message = fmt::format("{} is not an escape sequence", part); break;
    case RE2::ErrorBadCharRange: message = fmt::format("{} is a range that ends before it begins", part); break;
    case RE2::ErrorBadCharClass: message = fmt::format("{} is not a character class", part); break;
    case RE2::ErrorBadPerlOp: message = fmt::format("{} is not supported", part); break;
    case RE2::ErrorBadNamedCapture: message = fmt::format("{} is not a valid name of a group", part); break;
    case RE2::ErrorBadUTF8: message = "the expression is not valid UTF-8"; break;
    case RE2::ErrorPatternTooLarge: message = "the expression is too large: use fewer repetitions"; break;
    default: message = regex.error(); break;
  }
  if (place) message += fmt::format(", at character {}", character_at(text, *place));
  return Error{std::move(message), {}, {}, {}};
}

}  // namespace

Result<NamePattern> NamePattern::of(const NameQuestion& question) {
  NamePattern out;
  out.text_ = question.text;
  out.match_case_ = question.match_case;
  if (!question.regex || question.text.empty()) return out;
  RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(question.match_case);
  options.set_never_capture(true);
  auto regex = std::make_shared<RE2>(question.text, options);
  if (!regex->ok()) return complaint_of(*regex, question.text);
  if (regex->ProgramSize() > kLargestProgram) {
    return Error{"the expression is too large: use fewer repetitions", {}, {}, {}};
  }
  out.regex_ = std::move(regex);
  return out;
}

bool NamePattern::matches(std::string_view name) const {
  if (text_.empty()) return false;
  if (regex_) return RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), *regex_);
  if (match_case_) return name.find(text_) != std::string_view::npos;
  return std::search(name.begin(), name.end(), text_.begin(), text_.end(),
                     [](char a, char b) { return to_lower(a) == to_lower(b); }) != name.end();
}

}  // namespace tv

#include "core/query/name_pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

// Larger programs take more time per letter of a name if they do not become an automaton.
constexpr int kLargestProgram = 2000;

// Counts characters, from 1.
std::size_t letter_at(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte);
  return 1 + static_cast<std::size_t>(
                 std::ranges::count_if(before, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// The last ( or [ without a closing one, or a ) without an opening one: RE2 gives no position for these errors.
std::optional<std::size_t> unpaired(std::string_view text, char which) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\') {
      ++i;
    } else if (c == '[') {
      const std::size_t begin = i++;
      if (i < text.size() && text[i] == '^') ++i;
      if (i < text.size() && text[i] == ']') ++i;  // a ] in first place is a letter of the class
      while (i < text.size() && text[i] != ']') i += text[i] == '\\' ? 2 : 1;
      if (i >= text.size()) return which == '[' ? std::optional(begin) : std::nullopt;
    } else if (c == '(') {
      open.push_back(i);
    } else if (c == ')') {
      if (open.empty()) return which == ')' ? std::optional(i) : std::nullopt;
      open.pop_back();
    }
  }
  return which == '(' && !open.empty() ? std::optional(open.back()) : std::nullopt;
}

Error complaint_of(const RE2& regex, std::string_view text) {
  const std::string& part = regex.error_arg();
  const std::size_t found = text.find(part);
  std::optional<std::size_t> place;
  if (!part.empty() && found != std::string_view::npos) place = found;
  std::string words;
  switch (regex.error_code()) {
    case RE2::ErrorMissingParen:
      words = "( without its )";
      place = unpaired(text, '(');
      break;
    case RE2::ErrorUnexpectedParen:
      words = ") without its (";
      place = unpaired(text, ')');
      break;
    case RE2::ErrorMissingBracket:
      words = "[ without its ]";
      place = unpaired(text, '[');
      break;
    case RE2::ErrorTrailingBackslash:
      words = "\\ with nothing behind it";
      place = text.size() - 1;
      break;
    case RE2::ErrorRepeatArgument: words = fmt::format("nothing before {} to repeat", part); break;
    case RE2::ErrorRepeatOp: words = fmt::format("{} repeats what is repeated already", part); break;
    case RE2::ErrorRepeatSize: words = fmt::format("{} repeats too often (at most 1000 times) or backwards", part); break;
    case RE2::ErrorBadEscape: words = fmt::format("{} means nothing here", part); break;
    case RE2::ErrorBadCharRange: words = fmt::format("{} is a range that ends before it begins", part); break;
    case RE2::ErrorBadCharClass: words = fmt::format("{} is no class of letters", part); break;
    case RE2::ErrorBadPerlOp: words = fmt::format("{} is not known here", part); break;
    case RE2::ErrorBadNamedCapture: words = fmt::format("{} is no name of a group", part); break;
    case RE2::ErrorBadUTF8: words = "letters that are no UTF-8"; break;
    case RE2::ErrorPatternTooLarge: words = "larger than what is searched for"; break;
    default: words = regex.error(); break;
  }
  if (place) words += fmt::format(", at letter {}", letter_at(text, *place));
  return Error{std::move(words), {}, {}, {}};
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

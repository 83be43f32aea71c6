#include "core/analysis/filter/expression_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/base/text/decimal_ns.h"
#include "core/base/text/utf8.h"

namespace tv {
namespace {

bool word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

/// Converts a number to seconds. Divides if the unit is below a second, because 1000 is exact as a double and 0.001 is not.
double in_seconds(double value, std::string_view unit) {
  const Ns ns = unit_of_time(unit);
  return ns < kSecond ? value / static_cast<double>(kSecond / ns) : value * static_cast<double>(ns / kSecond);
}

}  // namespace

std::string_view text_of(Relation relation) {
  constexpr std::array<std::string_view, 7> kTexts = {"<", "<=", ">", ">=", "==", "!=", "=~"};
  return kTexts[static_cast<std::size_t>(relation)];
}

bool compare(double a, Relation relation, double b) {
  switch (relation) {
    case Relation::Less: return a < b;
    case Relation::LessEqual: return a <= b;
    case Relation::Greater: return a > b;
    case Relation::GreaterEqual: return a >= b;
    case Relation::Equal: return a == b;
    case Relation::NotEqual: return a < b || a > b;
    case Relation::Like: break;
  }
  return false;
}

void ExpressionText::skip_blanks() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
    ++at_;
  }
}

bool ExpressionText::take(std::string_view token) {
  if (!text_.substr(at_).starts_with(token)) return false;
  at_ += token.size();
  skip_blanks();
  return true;
}

std::string_view ExpressionText::word() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && word_character(text_[at_])) ++at_;
  const std::string_view out = text_.substr(begin, at_ - begin);
  skip_blanks();
  return out;
}

std::optional<Relation> ExpressionText::relation() {
  // Longer spellings come first, because some begin with a shorter one. Users also type "=" for "==" and "~" for "=~".
  constexpr std::array<std::pair<std::string_view, Relation>, 9> kSpellings = {{
      {"<=", Relation::LessEqual}, {">=", Relation::GreaterEqual}, {"==", Relation::Equal},
      {"!=", Relation::NotEqual}, {"=~", Relation::Like}, {"<", Relation::Less},
      {">", Relation::Greater}, {"=", Relation::Equal}, {"~", Relation::Like},
  }};
  for (const auto& [text, relation] : kSpellings) {
    if (take(text)) return relation;
  }
  return std::nullopt;
}

Result<double> ExpressionText::number(std::string_view unit) {
  const std::size_t begin = at_;
  double value = 0;
  const char* first = text_.data() + at_;
  const auto [end, failed] = std::from_chars(first, text_.data() + text_.size(), value);
  const std::string_view wanted = unit == "s" ? "a time such as 2.5s or 300ms" : "a number";
  if (failed != std::errc() || !std::isfinite(value)) return expected(wanted, begin);
  at_ += static_cast<std::size_t>(end - first);
  const std::size_t unit_begin = at_;
  while (at_ < text_.size() && ((text_[at_] >= 'a' && text_[at_] <= 'z') || text_[at_] == '%')) ++at_;
  const std::string_view written = text_.substr(unit_begin, at_ - unit_begin);
  skip_blanks();
  if (written.empty()) return value;
  const bool time = unit_of_time(written) != 0;
  if (unit != "s") return expected("a number without a unit", unit_begin);
  if (!time) return expected("a unit of time: ns, us, ms, s, min or h", unit_begin);
  const double seconds = in_seconds(value, written);
  if (!std::isfinite(seconds)) return expected(wanted, begin);  // it could not be written as a text that parses again
  return seconds;
}

Result<std::string> ExpressionText::text_value() {
  if (at_end()) return expected("a string");
  const char quote = text_[at_];
  if (quote != '"' && quote != '\'') {
    const std::string_view bare = word();
    if (bare.empty()) return expected("a string: a word, or any text in quotes");
    return std::string(bare);
  }
  const std::size_t begin = at_++;
  std::string out;
  for (; at_ < text_.size(); ++at_) {
    char c = text_[at_];
    if (c == quote) {
      ++at_;
      skip_blanks();
      return out;
    }
    if (c == '\\' && at_ + 1 < text_.size()) c = text_[++at_];
    out += c;
  }
  return expected("a closing quote", begin);
}

Error ExpressionText::expected(std::string_view what, std::size_t at) const {
  if (at >= text_.size()) return Error{fmt::format("at the end: expected {}", what), {}, {}, {}};
  constexpr std::size_t kLeast = 12, kMost = 60;  // the excerpt ends with a whole word if it has room
  std::size_t length = kLeast;
  const auto in_word = [&](std::size_t i) { return i < text_.size() && word_character(text_[i]); };
  while (length < kMost && in_word(at + length - 1) && in_word(at + length)) ++length;
  const std::string_view found = utf8_prefix(text_.substr(at), length);
  const auto characters = at - static_cast<std::size_t>(std::ranges::count_if(text_.substr(0, at), continues_utf8));
  return Error{fmt::format("at character {}, \"{}\": expected {}", characters + 1, found, what), {}, {}, {}};
}

std::string quoted_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string number_text(double value, std::string_view unit) {
  return fmt::format("{}{}", value, unit == "s" ? "s" : "");
}

}  // namespace tv

// Reads the small languages of filters and --fail-if rules: words, relations, numbers with units, quoted texts. Errors name the
// position (in characters, from 1) and what was expected there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace tv {

enum class Relation : std::uint8_t { Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual, Like };
std::string_view text_of(Relation relation);
/// False if either value is NaN, even for !=: an unknown value is not different.
bool compare(double a, Relation relation, double b);

class ExpressionText {
 public:
  explicit ExpressionText(std::string_view text) : text_(text) { skip_blanks(); }

  bool at_end() const { return at_ == text_.size(); }
  std::size_t position() const { return at_; }
  /// Steps over `token` and the blanks after it, if it comes next.
  bool take(std::string_view token);
  /// Letters, digits, "_", "-" and "."; empty if there are none.
  std::string_view word();
  std::optional<Relation> relation();
  /// A number in `unit`. Times (unit "s") can also be written in ns us ms s min h: "2.5s", "1e-07s", "30".
  Result<double> number(std::string_view unit);
  /// A word, or a text in "..." or '...' with the escapes \" \' \\.
  Result<std::string> text_value();

  Error expected(std::string_view what) const { return expected(what, at_); }
  Error expected(std::string_view what, std::size_t at) const;

 private:
  void skip_blanks();

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The text in quotes, with escapes: text_value() gives back the text.
std::string quoted_text(std::string_view text);
/// The shortest text that parses to the same number, with the unit if it is a time.
std::string number_text(double value, std::string_view unit);

}  // namespace tv

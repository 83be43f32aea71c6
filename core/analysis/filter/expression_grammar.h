// The common grammar of filters of requests and of slices: comparisons joined by ! && || and parentheses; ! binds strongest, then
// &&, then ||. `Leaf` parses the comparisons.
//
// Recursive descent, which stops at the first error. Operands come before their operator, as in postfix notation.
#pragma once

#include <optional>
#include <string_view>

#include "core/analysis/filter/expression_text.h"
#include "core/base/result.h"

namespace tv {

enum class Junction : std::uint8_t { Not, And, Or };

/// Leaf: `std::optional<Error> comparison(ExpressionText&)` parses a comparison; `void join(Junction)` applies an operator to the
/// last operand, for Not, or to the last two.
template <class Leaf>
class ExpressionGrammar {
 public:
  ExpressionGrammar(std::string_view text, Leaf& leaf) : text_(text), leaf_(leaf) {}

  /// The error, or none if the whole text was parsed or is empty.
  std::optional<Error> run() {
    if (text_.at_end()) return {};
    if (auto failed = any_of(0)) return failed;
    if (!text_.at_end()) return text_.expected("&&, || or the end");
    return {};
  }

 private:
  static constexpr int kDeepest = 100;  // nested parentheses and !
  using Failed = std::optional<Error>;

  Failed any_of(int depth) {
    if (auto failed = all_of(depth)) return failed;
    while (text_.take("||")) {
      if (auto failed = all_of(depth)) return failed;
      leaf_.join(Junction::Or);
    }
    return {};
  }

  Failed all_of(int depth) {
    if (auto failed = one(depth)) return failed;
    while (text_.take("&&")) {
      if (auto failed = one(depth)) return failed;
      leaf_.join(Junction::And);
    }
    return {};
  }

  Failed one(int depth) {
    if (depth > kDeepest) return text_.expected("fewer nested parentheses");
    if (text_.take("!")) {
      if (auto failed = one(depth + 1)) return failed;
      leaf_.join(Junction::Not);
      return {};
    }
    if (!text_.take("(")) return leaf_.comparison(text_);
    if (auto failed = any_of(depth + 1)) return failed;
    return text_.take(")") ? Failed() : Failed(text_.expected("&&, || or )"));
  }

  ExpressionText text_;
  Leaf& leaf_;
};

inline constexpr std::size_t kLongestExpression = 64 * 1024;  ///< bytes

}  // namespace tv

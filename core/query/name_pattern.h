// A pattern to search names for: a text, or a regular expression. Expressions are RE2's (its syntax page is the reference): the
// time is linear in the name whatever the pattern is, so that no pattern can hang the window.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace re2 {
class RE2;
}

namespace tv {

struct NameQuestion {
  std::string text;
  bool match_case = false;  ///< else letters match in either case: ASCII's of a text, all of an expression
  bool regex = false;
  bool operator==(const NameQuestion&) const = default;
};

class NamePattern {
 public:
  /// An error says what is wrong with the expression, and at which letter.
  static Result<NamePattern> of(const NameQuestion& question);

  /// Is it somewhere in the name? An empty text is nowhere. Can be asked by several threads at once.
  bool matches(std::string_view name) const;
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
  bool match_case_ = false;
  std::shared_ptr<const re2::RE2> regex_;  ///< null: the text as it is
};

}  // namespace tv

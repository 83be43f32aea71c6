// A pattern to search names for: a text, or a regular expression. Expressions are RE2's (its syntax page is the reference):
// matching takes time linear in the name for every pattern, so no pattern can hang the window.
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
  bool match_case = false;  ///< else letters match in either case: only ASCII letters for a text, all letters for an expression
  bool regex = false;
  bool operator==(const NameQuestion&) const = default;
};

class NamePattern {
 public:
  /// An error says what is wrong with the expression, and at which letter.
  static Result<NamePattern> of(const NameQuestion& question);

  /// Whether it occurs in the name. An empty text never does. Thread-safe.
  bool matches(std::string_view name) const;
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
  bool match_case_ = false;
  std::shared_ptr<const re2::RE2> regex_;  ///< null: plain text
};

}  // namespace tv

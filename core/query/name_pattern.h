// A pattern to search names for: plain text, or a regular expression in RE2's syntax. RE2 matches in time linear in the name,
// whatever the expression, so no pattern can hang the window.
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
  bool match_case = false;  ///< false: plain text ignores the case of ASCII letters, an expression that of all letters
  bool regex = false;
  bool operator==(const NameQuestion&) const = default;
};

class NamePattern {
 public:
  /// An error says what is wrong with the expression and, if known, at which letter.
  static Result<NamePattern> of(const NameQuestion& question);

  /// Whether the pattern occurs in the name. An empty pattern never does. Thread-safe.
  bool matches(std::string_view name) const;
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
  bool match_case_ = false;
  std::shared_ptr<const re2::RE2> regex_;  ///< null: plain text
};

}  // namespace tv

// Finds where JSON records end, without parsing them, in text that may be damaged: strings with raw newlines, strings broken by
// unescaped quotes, bare words. Only counts brackets outside strings.
//
// A newline inside a string is either a raw one (the string continues) or shows that a quote was lost (the string is over). The
// text after the newline decides: if the next token is `"key":`, a lone closing brace or the next record, the string is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tv {

/// A character that JSON allows between tokens.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Resumable: call run() or run_value() again with the grown text and the position that it returned.
class JsonScan {
 public:
  enum class Status {
    Done,  ///< the value ended; `at` is one past it
    More,  ///< the text ended first; `at` is where to continue
  };
  struct Step {
    Status status;
    std::size_t at;
  };

  /// Scans one object or array that begins at the first call's `at`. `last`: no more text will come.
  Step run(std::string_view text, std::size_t at, bool last);
  /// Scans any value up to (not including) the ',' or closing bracket that ends it.
  Step run_value(std::string_view text, std::size_t at, bool last);
  void reset() { depth_ = 0, in_string_ = false; }
  /// Starts as if an opening bracket had been read.
  void reset_inside() { depth_ = 1, in_string_ = false; }

 private:
  template <bool kStopAtSeparator>
  Step scan(std::string_view text, std::size_t at, bool last);

  std::uint32_t depth_ = 0;
  bool in_string_ = false;
};

/// Length of the object or array at the beginning of the text, or npos if the text ends first.
std::size_t json_value_length(std::string_view text);

}  // namespace tv

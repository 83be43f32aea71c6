#include "core/read/json/json_start.h"

#include <algorithm>
#include <string>

#include "core/base/text/ascii.h"

namespace tv {
namespace {

// Passes over JSON values until the text ends or is not JSON.
class JsonStart {
 public:
  explicit JsonStart(std::string_view text) : text_(text) {}

  bool run() {
    blanks();
    if (ended()) return false;
    while (!ended()) {
      if (!value()) return false;
      while (!open_.empty()) {
        blanks();
        if (ended()) return true;
        if (!next_in_open()) return false;
      }
      blanks();
    }
    return true;
  }

 private:
  bool ended() const { return at_ == text_.size(); }
  char front() const { return text_[at_]; }
  void blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  // Passes a scalar, or the bracket that opens an object or array. The end of the text is never an error.
  bool value() {
    const char c = front();
    if (c == '{' || c == '[') {
      open_ += c;
      first_ = true;
      ++at_;
      return true;
    }
    first_ = false;
    if (c == '"') return text();
    if (c == '-' || is_digit(c)) return number();
    for (const std::string_view word : {"true", "false", "null", "NaN", "Infinity"}) {
      if (c != word.front()) continue;
      const std::string_view found = text_.substr(at_, word.size());
      at_ += found.size();
      return word.starts_with(found) && (found.size() == word.size() || ended());
    }
    return false;
  }

  bool text() {
    for (++at_; !ended(); ++at_) {
      if (front() == '\\')
        ++at_;
      else if (front() == '"')
        return ++at_, true;
      if (at_ >= text_.size()) break;
    }
    at_ = text_.size();
    return true;
  }

  // "2026-07-27" is not a number.
  bool number() {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
    const std::string_view number = text_.substr(begin, at_ - begin);
    for (std::size_t i = 1; i < number.size(); ++i) {
      const bool sign = number[i] == '-' || number[i] == '+';
      if (sign && to_lower(number[i - 1]) != 'e') return false;
    }
    return ended() || std::string_view(" \t\r\n,]}").find(front()) != std::string_view::npos;
  }

  bool next_in_open() {
    const char close = open_.back() == '{' ? '}' : ']';
    if (front() == close) {
      open_.pop_back();
      first_ = false;
      ++at_;
      return true;
    }
    if (!first_) {
      if (front() != ',') return false;
      ++at_;
      blanks();
      if (ended()) return true;
    }
    if (open_.back() == '{') {
      if (front() != '"' || !text()) return false;
      blanks();
      if (ended()) return true;
      if (front() != ':') return false;
      ++at_;
      blanks();
      if (ended()) return true;
    }
    return value();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string open_;    // the open brackets
  bool first_ = false;  // the last of them was just opened
};

}  // namespace

bool is_json_start(std::string_view text) { return JsonStart(text).run(); }

}  // namespace tv

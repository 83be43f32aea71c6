// Changes JSON and leaves most of it JSON: values and members are replaced by others, repeated, removed, swapped and nested, or
// become edge values. Now and then a quote, a comma or a bracket is removed, or any bytes change.
//
// The text need not be JSON, and several documents may follow each other (a log of lines): whatever looks like a value is taken for
// one. Cost: one pass over the text per change.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/fuzz/mutate.h"

namespace tv::test {

inline constexpr std::string_view kEdgeValues[] = {"1e300",
                                                   "-1e300",
                                                   "-0",
                                                   "-0.0",
                                                   "1e-400",
                                                   "1e400",
                                                   "9223372036854775807",
                                                   "9223372036854775808",
                                                   "-9223372036854775808",
                                                   "-9223372036854775809",
                                                   "18446744073709551615",
                                                   "18446744073709551616",
                                                   "9223372036854775.807",
                                                   "9223372036854775.808",
                                                   "-9223372036854775.808",
                                                   "2147483647",
                                                   "2147483648",
                                                   "4294967295",
                                                   "4294967296",
                                                   "3000000000000000",
                                                   "-100000000000001",
                                                   "0.5",
                                                   "1724203468009469.317",
                                                   "007",
                                                   "+1",
                                                   ".5",
                                                   "5.",
                                                   "1e",
                                                   "NaN",
                                                   "nan",
                                                   "Infinity",
                                                   "-Infinity",
                                                   "null",
                                                   "true",
                                                   "false",
                                                   "True",
                                                   "None",
                                                   "{}",
                                                   "[]",
                                                   "\"\"",
                                                   "\"\\u0000\"",
                                                   "\"\\ud800\"",
                                                   "\"\\ud83d\\ude00\"",
                                                   "\"\\x\"",
                                                   "\"1e3\"",
                                                   "\"0x7fffffffffffffff\"",
                                                   "\"9223372036854775807\"",
                                                   "\"\xff\"",
                                                   "\"\xe2\x80\xae\"",
                                                   "\"X\"",
                                                   "\"B\"",
                                                   "\"E\"",
                                                   "\"b\"",
                                                   "\"n\"",
                                                   "\"e\"",
                                                   "\"s\"",
                                                   "\"t\"",
                                                   "\"f\"",
                                                   "\"M\"",
                                                   "\"C\"",
                                                   "\"i\"",
                                                   "\"P\"",
                                                   "\"N\"",
                                                   "\"D\"",
                                                   "[1,[2,[3]]]",
                                                   "{\"a\":{\"b\":[1]}}",
                                                   "\"a\\\"b\""};

class JsonMutator {
 public:
  JsonMutator(std::string text, std::size_t most, std::uint64_t seed)
      : text_(std::move(text)), most_(most), dice_(seed) {}

  std::string change() {
    for (std::size_t n = 1 + below(dice_, 3); n > 0; --n) change_once();
    text_.resize(std::min(text_.size(), most_));
    return text_;
  }

 private:
  struct Span {
    std::size_t begin = 0, end = 0;
    std::size_t member = 0;  ///< where its key begins; without a key, where the value begins
  };

  // Finds all values, also those within others. Strings before a colon are keys.
  void find_values() {
    values_.clear();
    std::vector<Span> open;
    std::size_t key = kNoKey;
    const auto value = [&](std::size_t begin, std::size_t end) {
      values_.push_back({begin, end, key == kNoKey ? begin : key});
      key = kNoKey;
    };
    for (std::size_t at = 0; at < text_.size();) {
      const char c = text_[at];
      if (c == '{' || c == '[') {
        open.push_back({at, at, key == kNoKey ? at : key});
        key = kNoKey;
        ++at;
      } else if (c == '}' || c == ']') {
        ++at;
        if (open.empty()) continue;
        values_.push_back({open.back().begin, at, open.back().member});
        open.pop_back();
      } else if (c == '"') {
        const std::size_t begin = at++;
        while (at < text_.size() && text_[at] != '"' && text_[at] != '\n') at += text_[at] == '\\' ? 2 : 1;
        at = std::min(at + 1, text_.size());
        const std::size_t next = text_.find_first_not_of(" \t\r\n", at);
        if (next != std::string::npos && text_[next] == ':') {
          key = begin;
        } else {
          value(begin, at);
        }
      } else if (std::string_view(" \t\r\n,:").find(c) != std::string_view::npos) {
        ++at;
      } else {
        const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:{}[]\"", at), text_.size());
        value(at, end);
        at = end;
      }
    }
  }

  std::string of(const Span& span) const { return text_.substr(span.begin, span.end - span.begin); }
  void put(const Span& span, std::string_view by) { text_.replace(span.begin, span.end - span.begin, by); }
  const Span& any() { return values_[below(dice_, values_.size())]; }

  void change_once() {
    find_values();
    if (values_.empty() || dice_.chance(0.15)) {
      text_ = changed_anyhow(text_, most_);
      return;
    }
    const Span one = any(), other = any();
    switch (below(dice_, 11)) {
      case 0:
      case 1:
        return put(one, dice_.one_of(kEdgeValues));
      case 2:
        return put(one, of(other));
      case 3:
        return take_out(one);
      case 4:
        text_.insert(one.end, "," + text_.substr(one.member, one.end - one.member));
        return;
      case 5:
        return swap(one, other);
      case 6:
        return nest(one);
      case 7:
        return change_string(one);
      case 8:
        return lose_a_sign();
      case 9:
        text_.insert(one.end, "," + text_.substr(other.member, other.end - other.member));
        return;
      default:
        return put(one, changed_anyhow(of(one), std::max<std::size_t>(2 * (one.end - one.begin), 16)));
    }
  }

  // Removes a member together with its comma.
  void take_out(const Span& span) {
    std::size_t begin = span.member, end = span.end;
    if (end < text_.size() && text_[end] == ',')
      ++end;
    else if (begin > 0 && text_[begin - 1] == ',')
      --begin;
    text_.erase(begin, end - begin);
  }

  void swap(Span a, Span b) {
    if (a.begin > b.begin) std::swap(a, b);
    if (a.end > b.begin) return put(a, of(b));  // b is within a
    const std::string first = of(a), second = of(b);
    put(b, first);
    put(a, second);
  }

  void nest(const Span& span) {
    constexpr std::size_t kDepths[] = {1, 2, 30, 1000};
    const std::size_t deep = std::min(dice_.one_of(kDepths), most_ / 16);
    const bool lists = dice_.chance(0.5);
    std::string before, after;
    for (std::size_t i = 0; i < deep; ++i) {
      before += lists ? "[" : "{\"a\":";
      after += lists ? ']' : '}';
    }
    put(span, before + of(span) + (dice_.chance(0.8) ? after : ""));
  }

  void change_string(const Span& span) {
    constexpr std::string_view kParts[] = {
        "\"", "\\", "\n", "\\u0000", "\\ud83d", "\xf0\x9f", "\x01", std::string_view("\0", 1), "/", "$"};
    if (dice_.chance(0.1)) {  // a long key or text
      text_.insert(span.member + 1, std::string(std::min<std::size_t>(5000, most_ / 8), 'k'));
      return;
    }
    const std::size_t begin = dice_.chance(0.5) ? span.member : span.begin;
    text_.insert(begin + below(dice_, span.end - begin), dice_.one_of(kParts));
  }

  void lose_a_sign() {
    const std::size_t at = text_.find_first_of(",:{}[]\"\\\n", below(dice_, text_.size()));
    if (at != std::string::npos) text_.erase(at, 1);
  }

  static constexpr std::size_t kNoKey = SIZE_MAX;
  std::string text_;
  std::size_t most_;
  Random dice_;
  std::vector<Span> values_;
};

}  // namespace tv::test

/// Gives a fuzz program the mutator of JSON. It stands once, at the end of the program's file.
#define TV_MUTATE_JSON                                                                                   \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, \
                                                 unsigned seed) {                                        \
    const std::string text(reinterpret_cast<const char*>(data), size);                                   \
    return tv::test::put_input(tv::test::JsonMutator(text, most, seed).change(), data, most);            \
  }

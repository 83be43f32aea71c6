#include "core/read/json/json_repair.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/base/text/ascii.h"
#include "core/base/text/utf8.h"
#include "core/read/json/json_scan.h"

namespace tv {
namespace {

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool is_json_number(std::string_view word) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t from = i;
    while (i < word.size() && is_digit(word[i])) ++i;
    return i - from;
  };
  if (i < word.size() && word[i] == '-') ++i;
  const std::size_t first = i, whole = digits();
  if (whole == 0 || (whole > 1 && word[first] == '0')) return false;
  if (i < word.size() && word[i] == '.') {
    ++i;
    if (digits() == 0) return false;
  }
  if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
    ++i;
    if (i < word.size() && (word[i] == '+' || word[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  return i == word.size();
}

class Repair {
 public:
  explicit Repair(std::string_view text) : text_(text) { out_.json.reserve(text.size() + 16); }

  RepairedRecord run() {
    do {
      step();
    } while (at_ < text_.size() && !(open_.empty() && closed_));
    while (!open_.empty()) close();
    out_.end = std::min(at_, text_.size());
    return std::move(out_);
  }

 private:
  void step() {
    const char c = at_ < text_.size() ? text_[at_] : ' ';
    if (is_blank(c)) {
      ++at_;
    } else if (c == '{' || c == '[') {
      begin_value();
      open_.push_back(c);
      put(c);
      ++at_;
    } else if (c == '}' || c == ']') {
      close();
    } else if (c == ',') {
      finish_member();
      ++at_;
    } else if (c == ':') {
      if (after_key_) put(':');
      after_colon_ |= after_key_;
      after_key_ = false;
      ++at_;
    } else if (c == '"') {
      string();
    } else {
      word();
    }
  }

  bool in_array() const { return !open_.empty() && open_.back() == '['; }
  bool at_key() const { return !after_colon_ && !in_array(); }
  void put(char c) { out_.json.push_back(c); }
  void put(std::string_view text) { out_.json.append(text); }

  // Writes one comma before the next element, no matter how many the text has.
  void separate() {
    const char last = out_.json.empty() ? '{' : out_.json.back();
    if (last != '{' && last != '[' && last != ':') put(',');
  }

  void begin_key() {
    finish_member();
    separate();
    key_begin_ = out_.json.size();
  }

  // A repeated member shows that text was lost, and that the rest belongs to another record.
  void end_key() {
    after_key_ = true;
    if (open_.size() != 1) return;
    const bool empty = out_.json.size() - key_begin_ <= 2;
    const bool fresh = keys_.insert(out_.json.substr(key_begin_)).second;
    out_.repeats_member |= !empty && !fresh;
  }

  void begin_value() {
    if (after_key_) {  // the colon was lost
      put(':');
    } else if (!after_colon_) {
      separate();
      if (!open_.empty() && !in_array()) put("\"\":");  // the key was lost too
    }
    after_key_ = after_colon_ = false;
  }

  // Completes a key or a colon without a value.
  void finish_member() {
    if (after_key_) put(':');
    if (after_key_ || after_colon_) put("null");
    after_key_ = after_colon_ = false;
  }

  void close() {
    if (open_.size() == 1 && members_follow()) {  // an extra bracket
      finish_member();
      ++at_;
      return;
    }
    closed_ = true;
    if (open_.empty()) {
      at_ = text_.size();
      return;
    }
    finish_member();
    put(open_.back() == '{' ? '}' : ']');
    open_.pop_back();
    ++at_;
  }

  // Whether a key that the record lacks, perhaps without one quote, follows the bracket here. If so, the bracket is extra.
  bool members_follow() {
    const std::size_t from = text_.find_first_not_of(" \t\r\n,", at_ + 1);
    if (from == text_.npos) return false;
    const std::size_t word = from + (text_[from] == '"' ? 1 : 0);
    const std::size_t end = text_.find_first_of("\"{}[],: \t\r\n", word);
    const std::size_t colon = end == text_.npos ? end : text_.find_first_not_of("\" \t\r\n", end);
    if (colon == text_.npos || text_[colon] != ':' || end == word) return false;
    return !quoted_before(from, text_.substr(word, end - word));
  }

  // Whether the text before `end` has the word between two neighbouring quotes. `end` grows from call to call, so all calls together
  // read the text once.
  bool quoted_before(std::size_t end, std::string_view word) {
    for (; quotes_to_ < end; ++quotes_to_) {
      if (text_[quotes_to_] != '"') continue;
      if (after_quote_ > 0) in_quotes_.insert(text_.substr(after_quote_, quotes_to_ - after_quote_));
      after_quote_ = quotes_to_ + 1;
    }
    return in_quotes_.contains(word);
  }

  // Whether the text after a quote suggests that the string is over. In key position only a colon ends it.
  bool ends_here(std::size_t after, bool key) const {
    std::size_t i = after;
    while (i < text_.size() && is_blank(text_[i])) ++i;
    if (i == text_.size()) return true;
    if (key) return text_[i] == ':';
    if (text_[i] == '}' || text_[i] == ']') {
      // Strings can contain brackets too. A real one is followed by more structure.
      for (++i; i < text_.size() && is_blank(text_[i]);) ++i;
      return i == text_.size() || text_[i] == ',' || text_[i] == '}' || text_[i] == ']';
    }
    if (text_[i] != ',') return false;
    for (++i; i < text_.size() && is_blank(text_[i]);) ++i;
    if (i == text_.size() || text_[i] == ',' || text_[i] == '}') return true;
    if (in_array()) return true;
    // In an object a key must follow: "word": or word":
    std::size_t quote = text_[i] == '"' ? i + 1 : i;
    while (quote < text_.size() && text_[quote] != '"') quote += text_[quote] == '\\' ? 2 : 1;
    std::size_t colon = quote + 1;
    while (colon < text_.size() && is_blank(text_[colon])) ++colon;
    return colon < text_.size() && text_[colon] == ':';
  }

  void string() {
    const bool key = at_key();
    key ? begin_key() : begin_value();
    const std::size_t at = at_, written = out_.json.size();
    const std::uint32_t replaced = out_.replaced_bytes;
    if (!string_body(key)) {
      // The string reached the end of the record, so the braces in it do not match. Read it again without matching them.
      braces_match_ = false;
      at_ = at;
      out_.json.resize(written);
      out_.replaced_bytes = replaced;
      string_body(key);
    }
    if (key) end_key();
  }

  // False if a string with unescaped quotes was kept open for a brace that never came.
  bool string_body(bool key) {
    bool broken = false, held_open = false, ended = false;
    int open_braces = 0;
    put('"');
    ++at_;
    while (at_ < text_.size() && !ended) {
      const char c = text_[at_];
      if (c == '{') ++open_braces;
      if (c == '}') --open_braces;
      if (c == '"') {
        const bool may_end = ends_here(at_ + 1, key);
        // {"device": "cpu", "dtype": "x"}(12): run is a name that kineto did not escape. Its comma is not a separator.
        const bool hold = may_end && broken && open_braces > 0 && braces_match_;
        held_open |= hold;
        ended = may_end && !hold;
        broken |= !ended;
        put(ended ? "\"" : "\\\"");
        ++at_;
      } else if (c == '\\') {
        escape();
      } else if (static_cast<unsigned char>(c) < 0x20) {
        control(c);
        ++at_;
      } else {
        character();
      }
    }
    if (!ended) put('"');
    return ended || !held_open;
  }

  // Valid escapes stay; other backslashes are taken literally (a Windows path).
  void escape() {
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (next == 'u') {
      if (const auto unit = code_unit(at_)) {
        const bool high = *unit >= 0xD800 && *unit < 0xDC00, low = *unit >= 0xDC00 && *unit < 0xE000;
        const auto second = high ? code_unit(at_ + 6) : std::nullopt;
        const bool pair = second && *second >= 0xDC00 && *second < 0xE000;
        const std::size_t length = pair ? 12 : 6;
        put(low || (high && !pair) ? std::string_view("\\ufffd") : text_.substr(at_, length));
        at_ += length;
        return;
      }
    } else if (next != '\0' && std::string_view("\"\\/bfnrt").find(next) != std::string_view::npos) {
      put(text_.substr(at_, 2));
      at_ += 2;
      return;
    }
    put("\\\\");
    ++at_;
  }

  std::optional<unsigned> code_unit(std::size_t at) const {
    if (at + 6 > text_.size() || text_[at] != '\\' || text_[at + 1] != 'u') return std::nullopt;
    unsigned value = 0;
    for (std::size_t i = at + 2; i < at + 6; ++i) {
      if (!is_hex(text_[i])) return std::nullopt;
      const char c = text_[i];
      value = value * 16 + static_cast<unsigned>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
  }

  void control(char c) {
    constexpr std::string_view kHex = "0123456789abcdef";
    put("\\u00");
    put(kHex[static_cast<unsigned char>(c) >> 4]);
    put(kHex[c & 15]);
  }

  void character() {
    const std::size_t length = utf8_length(text_.substr(at_));
    if (length == 0) {
      put(kReplacementCharacter);
      ++out_.replaced_bytes;
      ++at_;
    } else {
      put(text_.substr(at_, length));
      at_ += length;
    }
  }

  // Anything that is neither a string nor a bracket: a number, a JSON word, or something that must become a string.
  void word() {
    std::size_t end = at_;
    while (end < text_.size() && !is_blank(text_[end]) && std::string_view(",:{}[]\"").find(text_[end]) == std::string_view::npos) {
      ++end;
    }
    std::string_view word = text_.substr(at_, end - at_);
    const bool key = at_key();
    const bool lost_quote = key && end < text_.size() && text_[end] == '"';
    at_ = lost_quote ? end + 1 : end;
    key ? begin_key() : begin_value();
    if (!key && (is_json_number(word) || word == "true" || word == "false" || word == "null")) {
      put(word);
    } else {
      put('"');
      while (!word.empty()) {
        const std::size_t length = utf8_length(word);
        if (word.front() == '\\') put('\\');
        if (length == 0) ++out_.replaced_bytes;
        if (static_cast<unsigned char>(word.front()) < 0x20) {
          control(word.front());
        } else {
          put(length == 0 ? kReplacementCharacter : word.substr(0, length));
        }
        word.remove_prefix(std::max<std::size_t>(length, 1));
      }
      put('"');
    }
    if (key) end_key();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  RepairedRecord out_;
  std::vector<char> open_;
  std::unordered_set<std::string> keys_;  // of the record itself, in quotes
  std::unordered_set<std::string_view> in_quotes_;  // texts between neighbouring quotes, for quoted_before()
  std::size_t quotes_to_ = 0, after_quote_ = 0;     // how far it has read, and the end of the last quote, or 0
  std::size_t key_begin_ = 0;
  bool after_key_ = false, after_colon_ = false;  // a key was written, and its colon or value comes next
  bool closed_ = false;
  bool braces_match_ = true;  // whether the braces in broken strings match
};

}  // namespace

RepairedRecord repair_json(std::string_view record) { return Repair(record).run(); }

}  // namespace tv

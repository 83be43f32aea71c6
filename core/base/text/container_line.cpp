#include "core/base/text/container_line.h"

#include <algorithm>
#include <array>

#include "core/base/text/ascii.h"
#include "core/base/text/log_stamp.h"
#include "core/base/text/utf8.h"

namespace tv {
namespace {

constexpr std::size_t kSearchedLines = 4;  // more than one, because the log's first line may be incomplete

std::string_view first_word(std::string_view& rest) {
  const std::size_t blank = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, blank);
  rest.remove_prefix(std::min(blank + 1, rest.size()));
  return word;
}

std::optional<ContainerLine> cri_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  ContainerLine out;
  out.time = first_word(line);
  const auto stamp = stamp_at_front(out.time);
  if (!stamp || !stamp->zoned || stamp->length != out.time.size() || out.time.find('T') == std::string::npos)
    return std::nullopt;
  out.stream = first_word(line);
  if (out.stream != "stdout" && out.stream != "stderr") return std::nullopt;
  // Colons separate the tags. The first tag is P or F.
  const std::string_view tags = first_word(line);
  const std::string_view first = tags.substr(0, tags.find(':'));
  if (first != "P" && first != "F") return std::nullopt;
  out.whole = first == "F";
  out.text = line;
  return out;
}

// Reads the members of a JSON object on one line, one by one. Only values that are strings are decoded.
class Members {
 public:
  explicit Members(std::string_view line) : rest_(line) { ok_ = take('{'); }

  // False at the end, and if the text is not JSON. `value` is empty unless the member's value is a string.
  bool next(std::string& name, std::optional<std::string>& value) {
    if (!ok_ || (!first_ && !take(','))) return false;
    first_ = false;
    if (!take_string(name) || !take(':')) return ok_ = false;
    skip_blanks();
    value.reset();
    if (rest_.starts_with('"')) {
      std::string found;
      if (!take_string(found)) return ok_ = false;
      value = std::move(found);
      return true;
    }
    return ok_ = skip_value();
  }
  // Whether the object is closed and nothing follows it.
  bool ended() {
    const bool closed = ok_ && take('}');
    skip_blanks();
    return closed && rest_.empty();
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size())); }
  bool take(char c) {
    skip_blanks();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool take_string(std::string& out) {
    out.clear();
    if (!take('"')) return false;
    for (;;) {
      const std::size_t plain = rest_.find_first_of("\"\\");
      if (plain == rest_.npos) return false;
      out.append(rest_.substr(0, plain));
      const bool end = rest_[plain] == '"';
      rest_.remove_prefix(plain + 1);
      if (end) return true;
      if (!take_escape(out)) return false;
    }
  }

  // Decodes an escape sequence, after its backslash.
  bool take_escape(std::string& out) {
    if (rest_.empty()) return false;
    const char c = rest_.front();
    rest_.remove_prefix(1);
    constexpr std::string_view kEscapes = "\"\\/bfnrt", kDecoded = "\"\\/\b\f\n\r\t";
    if (const std::size_t known = kEscapes.find(c); known != kEscapes.npos) {
      out += kDecoded[known];
      return true;
    }
    std::uint32_t code = 0;
    if (c != 'u' || !take_hexadecimal(code)) return false;
    const bool high = code >= 0xD800 && code < 0xDC00;
    std::uint32_t low = 0;
    if (high && rest_.starts_with("\\u")) {
      const std::string_view next = rest_;
      rest_.remove_prefix(2);
      if (!take_hexadecimal(low)) return false;
      if (low >= 0xDC00 && low < 0xE000)
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      else
        rest_ = next;  // not a low surrogate: the next escape is a character of its own
    }
    append_code_point(out, code);
    return true;
  }

  bool take_hexadecimal(std::uint32_t& code) {
    constexpr std::size_t kDigits = 4;
    if (rest_.size() < kDigits) return false;
    for (const char digit : rest_.substr(0, kDigits)) {
      const char c = to_lower(digit);
      if (!is_digit(c) && (c < 'a' || c > 'f')) return false;
      code = code * 16 + static_cast<std::uint32_t>(is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    rest_.remove_prefix(kDigits);
    return true;
  }

  static void append_code_point(std::string& out, std::uint32_t code) {
    const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
    if (code >= 0xD800 && code < 0xE000) {
      out += kReplacementCharacter;
    } else if (code < 0x80) {
      byte(code);
    } else if (code < 0x800) {
      byte(0xC0 | (code >> 6));
      byte(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      byte(0xE0 | (code >> 12));
      byte(0x80 | ((code >> 6) & 0x3F));
      byte(0x80 | (code & 0x3F));
    } else {
      byte(0xF0 | (code >> 18));
      byte(0x80 | ((code >> 12) & 0x3F));
      byte(0x80 | ((code >> 6) & 0x3F));
      byte(0x80 | (code & 0x3F));
    }
  }

  // Skips a value that is not a string, up to the comma or brace after it. False if there is neither, or if a bracket
  // closes that was not opened.
  bool skip_value() {
    std::size_t depth = 0;
    for (std::string ignored; !rest_.empty();) {
      const char c = rest_.front();
      if (c == '"') {
        if (!take_string(ignored)) return false;
        continue;
      }
      if (depth == 0 && (c == ',' || c == '}')) return true;
      if (depth == 0 && c == ']') return false;
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      rest_.remove_prefix(1);
    }
    return false;
  }

  std::string_view rest_;
  bool ok_ = false, first_ = true;
};

std::optional<ContainerLine> json_line(std::string_view line, ContainerLog kind) {
  const bool docker = kind == ContainerLog::Docker;
  const std::string_view text_name = docker ? "log" : "MESSAGE", time_name = docker ? "time" : "__REALTIME_TIMESTAMP";
  ContainerLine out;
  bool has_text = false;
  Members members(line);
  std::string name;
  for (std::optional<std::string> value; members.next(name, value);) {
    if (!value) continue;
    if (name == text_name) {
      out.text = std::move(*value);
      has_text = true;
    } else if (name == time_name) {
      out.time = std::move(*value);
    } else if (docker && name == "stream") {
      out.stream = std::move(*value);
    }
  }
  if (!members.ended() || !has_text || out.time.empty()) return std::nullopt;
  if (!docker) {
    constexpr std::size_t kDecimals = 6;  // microseconds
    if (out.time.size() <= kDecimals || !std::ranges::all_of(out.time, is_digit)) return std::nullopt;
    out.time.insert(out.time.size() - kDecimals, ".");
  }
  const auto stamp = stamp_at_front(out.time);
  if (!stamp || stamp->length != out.time.size()) return std::nullopt;
  if (docker) out.whole = out.text.ends_with('\n');
  while (out.text.ends_with('\n') || out.text.ends_with('\r')) out.text.pop_back();
  return out;
}

}  // namespace

std::optional<ContainerLine> container_line(std::string_view line, ContainerLog kind) {
  return kind == ContainerLog::Cri ? cri_line(line) : json_line(line, kind);
}

bool may_be_container_log(std::string_view begin) {
  if (begin.empty() || begin.front() != '{') return !begin.empty() && is_digit(begin.front());
  const std::size_t quote = begin.find_first_not_of(" \t", 1);
  if (quote == begin.npos || begin[quote] != '"') return false;
  // The journal writes its field names in capitals.
  const std::string_view name = begin.substr(quote + 1, begin.find('"', quote + 1) - quote - 1);
  const bool is_field = !name.empty() && (name.front() == '_' || (name.front() >= 'A' && name.front() <= 'Z'));
  return is_field || name == "log" || name == "stream" || name == "time" || name == "attrs";
}

std::optional<ContainerLog> container_log(std::string_view head) {
  for (std::size_t n = 0; n < kSearchedLines && !head.empty(); ++n) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 1, head.size()));
    if (line.empty()) continue;
    if (is_digit(line.front()) && container_line(line, ContainerLog::Cri)) return ContainerLog::Cri;
    if (line.front() != '{') continue;
    for (const ContainerLog kind : {ContainerLog::Docker, ContainerLog::Journal}) {
      if (container_line(line, kind)) return kind;
    }
  }
  return std::nullopt;
}

}  // namespace tv

// A private copy of a text with the readable bytes after its end that simdjson asks for. Reused from chunk to chunk.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include <simdjson.h>

namespace tv {

class PaddedText {
 public:
  /// before + text + after; before and after are at most one character each, '\0' = none.
  simdjson::padded_string_view assign(std::string_view text, char before = '\0', char after = '\0') {
    const std::size_t needed = text.size() + 2 + simdjson::SIMDJSON_PADDING;
    if (bytes_.size() < needed) bytes_.resize(needed + needed / 4);
    char* to = bytes_.data();
    if (before != '\0') *to++ = before;
    to = std::copy(text.begin(), text.end(), to);
    if (after != '\0') *to++ = after;
    // simdjson looks at the byte after the end when brackets do not match: it must not see the rest of an earlier text.
    std::fill_n(to, simdjson::SIMDJSON_PADDING, '\0');
    const auto length = static_cast<std::size_t>(to - bytes_.data());
    return simdjson::padded_string_view(bytes_.data(), length, bytes_.size());
  }
  const char* data() const { return bytes_.data(); }

 private:
  std::vector<char> bytes_;
};

}  // namespace tv

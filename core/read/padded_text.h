// A private copy of a text with the readable bytes after its end that simdjson asks for. Reused from chunk to chunk.
#pragma once

#include <algorithm>
#include <span>
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
  /// `bytes` of room, where a text can be put for take().
  std::span<char> room(std::size_t bytes) {
    const std::size_t needed = bytes + 2 + simdjson::SIMDJSON_PADDING;
    if (bytes_.size() < needed) bytes_.resize(needed + needed / 4);
    return std::span(bytes_).subspan(1, bytes);
  }
  /// '[' + the first `bytes` that were put into the room + ']'.
  simdjson::padded_string_view take_as_array(std::size_t bytes) {
    bytes_.front() = '[';
    bytes_[1 + bytes] = ']';
    std::fill_n(bytes_.data() + bytes + 2, simdjson::SIMDJSON_PADDING, '\0');
    return simdjson::padded_string_view(bytes_.data(), bytes + 2, bytes_.size());
  }
  const char* data() const { return bytes_.data(); }

 private:
  std::vector<char> bytes_;
};

}  // namespace tv

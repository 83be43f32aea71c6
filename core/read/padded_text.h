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
  simdjson::padded_string_view assign(std::string_view text) {
    const std::size_t needed = text.size() + simdjson::SIMDJSON_PADDING;
    if (bytes_.size() < needed) bytes_.resize(needed + needed / 4);
    char* const end = std::copy(text.begin(), text.end(), bytes_.data());
    // simdjson looks at the byte after the end when brackets do not match: it must not see the rest of an earlier text.
    std::fill_n(end, simdjson::SIMDJSON_PADDING, '\0');
    return simdjson::padded_string_view(bytes_.data(), text.size(), bytes_.size());
  }
  /// `bytes` of room, where a text can be put for take_as_array().
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

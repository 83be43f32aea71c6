// Holds a copy of a text, with the readable bytes after its end that simdjson requires. Reused from chunk to chunk.
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
    // simdjson reads the byte after the end if brackets do not match; it must not see the rest of an earlier text.
    std::fill_n(end, simdjson::SIMDJSON_PADDING, '\0');
    return simdjson::padded_string_view(bytes_.data(), text.size(), bytes_.size());
  }
  /// Room for a text of this many bytes, with space for a bracket before it, and for a bracket or '\0' and the padding after it.
  std::span<char> room(std::size_t bytes) {
    const std::size_t needed = bytes + 2 + simdjson::SIMDJSON_PADDING;
    if (bytes_.size() < needed) bytes_.resize(needed + needed / 4);
    return std::span(bytes_).subspan(1, bytes);
  }
  /// Puts a '\0' after the first `bytes` of the room.
  void end_text(std::size_t bytes) { bytes_[1 + bytes] = '\0'; }
  /// The bytes [from, to) of the room, in brackets, which overwrite the bytes around them.
  simdjson::padded_string_view take_as_array(std::size_t from, std::size_t to) {
    bytes_[from] = '[';
    bytes_[1 + to] = ']';
    std::fill_n(bytes_.data() + to + 2, simdjson::SIMDJSON_PADDING, '\0');
    return simdjson::padded_string_view(bytes_.data() + from, to - from + 2, bytes_.size() - from);
  }
  const char* data() const { return bytes_.data(); }

 private:
  std::vector<char> bytes_;
};

}  // namespace tv

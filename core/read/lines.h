// Cuts a stream of text into lines, each with its offset. Removes carriage returns and blanks at the end of lines, and a byte
// order mark before the first. Cost: one memchr over the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/io/streams/text_feed.h"

namespace tv {

struct Line {
  std::uint64_t offset = 0;
  std::string_view text;  ///< valid until the next call
  bool ended = true;      ///< false: the stream ends without a newline after the line
};

class Lines {
 public:
  explicit Lines(TextFeed& feed) : feed_(feed) {}

  /// The next line; nullopt at the end.
  Result<std::optional<Line>> next();

  /// Text that was read from the stream but not returned yet, followed by kTextPadding bytes, and the text's position.
  std::string_view ahead() const { return window_.text.substr(at_); }
  std::uint64_t offset() const { return window_.offset + at_; }
  /// Skips the first bytes of ahead(), which must be whole lines.
  void skip(std::size_t bytes) { at_ += bytes; }

 private:
  TextFeed& feed_;
  TextWindow window_;
  std::size_t at_ = 0;
};

}  // namespace tv

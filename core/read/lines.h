// Cuts a stream of text into lines, each with its offset. Carriage returns and blanks at the end are cut off.
// Cost: one memchr over the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/io/text_feed.h"

namespace tv {

struct Line {
  std::uint64_t offset = 0;
  std::string_view text;  ///< valid until the next call
  bool ended = true;      ///< false: the stream ends without a newline after it
};

class Lines {
 public:
  explicit Lines(TextFeed& feed) : feed_(feed) {}

  /// The next line; nullopt at the end.
  Result<std::optional<Line>> next();

 private:
  TextFeed& feed_;
  TextWindow window_;
  std::size_t at_ = 0;
};

}  // namespace tv

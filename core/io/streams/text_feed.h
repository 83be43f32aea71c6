// A stream's text as a sliding window, for readers that cut it into records. They say from which offset on they still need text,
// and get the next window. Earlier windows stay alive as long as they are in use, so other threads can meanwhile parse chunks that
// were cut from them.
//
//   stream  ..................................................
//   window 1        [=============|###]           ### = unfinished record, kept
//   window 2                      [###===============|#]
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/io/streams/byte_stream.h"
#include "core/io/streams/text_buffers.h"

namespace tv {

/// The number of readable bytes after a window's text. The first of them is 0. So code that reads in wide steps, or up to a byte
/// that no text contains, needs no check for the end.
inline constexpr std::size_t kTextPadding = 64;

struct TextWindow {
  std::uint64_t offset = 0;  ///< offset of text[0] in the stream
  std::string_view text;
  bool last = false;  ///< the stream ends with this window
  std::shared_ptr<const char[]> hold;  ///< keeps the text alive

  std::uint64_t end() const { return offset + text.size(); }
};

class TextFeed {
 public:
  TextFeed(ByteStream& stream, std::size_t step_bytes) : stream_(stream), step_(step_bytes) {}

  /// The text from `keep_from`, which is within the previous window or at its end, to beyond that window. Adds at least as much new
  /// text as it keeps, so that a window grows to a huge record in linear time.
  Result<TextWindow> more(std::uint64_t keep_from);
  /// The number of bytes that at() can reach; 0: at() cannot be used.
  std::uint64_t reach() const { return stream_.reach(); }
  /// A window at another offset; does not affect more().
  Result<TextWindow> at(std::uint64_t offset, std::size_t bytes);
  /// Replaces the present window. If reach() is 0, the new window must end where the present one ends.
  void replace(TextWindow window);

  ByteStream& stream() { return stream_; }

 private:
  ByteStream& stream_;
  std::size_t step_;
  TextWindow window_;
  bool first_ = true;
  TextBuffers& buffers_ = TextBuffers::of_this_thread();  // so that files read one after the other share them
};

}  // namespace tv

// A stream's text as a sliding window, for readers that cut records: they say from which offset on they still need the text, and
// get a longer window. Earlier windows stay alive as long as they are in use, so chunks cut from them can meanwhile be parsed on
// other threads.
//
//   stream  ..................................................
//   window 1        [=============|###]           ### = begun record, kept
//   window 2                      [###===============|#]
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/io/streams/byte_stream.h"
#include "core/io/streams/text_buffers.h"

namespace tv {

/// The number of readable bytes after a window's text. The first is 0, so code that reads in wide steps, or up to a byte that
/// cannot belong to the text, needs no other bound.
inline constexpr std::size_t kTextPadding = 64;

struct TextWindow {
  std::uint64_t offset = 0;  ///< offset of text[0] in the stream
  std::string_view text;
  bool last = false;  ///< the stream ends with this window
  std::shared_ptr<const char[]> hold;

  std::uint64_t end() const { return offset + text.size(); }
};

class TextFeed {
 public:
  TextFeed(ByteStream& stream, std::size_t step_bytes) : stream_(stream), step_(step_bytes) {}

  /// The text from `keep_from` (within or at the end of the previous window) to some new text beyond the previous end; returns at
  /// least as much new text as it keeps, so that growing to a huge record takes linear time.
  Result<TextWindow> more(std::uint64_t keep_from);
  /// How much of the text at() can reach; 0: none.
  std::uint64_t reach() const { return stream_.reach(); }
  /// A window at another offset; does not affect more().
  Result<TextWindow> at(std::uint64_t offset, std::size_t bytes);
  /// Replaces the present window. If reach() is 0, it must end where the present one ends.
  void replace(TextWindow window);

  ByteStream& stream() { return stream_; }

 private:
  ByteStream& stream_;
  std::size_t step_;
  TextWindow window_;
  bool first_ = true;
  TextBuffers& buffers_ = TextBuffers::of_this_thread();  // shared by files that are read one after the other
};

}  // namespace tv

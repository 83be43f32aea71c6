// A stream's text as a sliding window, for readers that cut records: they say from where on they still need the text and
// get a longer window. Earlier windows stay alive as long as they are in use, so chunks cut from them can be parsed
// on other threads meanwhile.
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

/// How many bytes after a window's text are readable. The first is 0, so code that reads in wide steps, or to the next byte that
/// cannot belong to the text, needs no other end.
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

  /// The text from `keep_from` (within or at the end of the previous window) to some new text beyond the previous end;
  /// at least as much new text as is kept, so that growing to a huge record costs linear time.
  Result<TextWindow> more(std::uint64_t keep_from);
  /// How far at() and go_to() reach; 0: not at all.
  std::uint64_t reach() const { return stream_.reach(); }
  /// A window somewhere else; what more() gives next does not change.
  Result<TextWindow> at(std::uint64_t offset, std::size_t bytes);
  /// Puts a window in place of the present one. Where reach() is 0 it must end where that does.
  void replace(TextWindow window);

  ByteStream& stream() { return stream_; }

 private:
  ByteStream& stream_;
  std::size_t step_;
  TextWindow window_;
  bool first_ = true;
  TextBuffers& buffers_ = TextBuffers::of_this_thread();  // files that are read one after the other share them
};

}  // namespace tv

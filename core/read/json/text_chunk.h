// A piece of a file that holds whole records, ready to be parsed on any thread. If the file can be read at any offset, the
// parsing thread reads the text itself: it is then in that core's cache, and disk reads overlap with parsing.
//
// A guessed chunk ends where the next record seems to begin. Parsing proves the guess: if the text is whole records up to its
// end, it was right, and so is the beginning of the next chunk.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/io/streams/byte_stream.h"

namespace tv {

/// A part of a chunk that is not a sound record: a record to repair, or text to skip.
struct DamagedText {
  std::uint64_t begin = 0, end = 0;  ///< in the file's text
  bool record = false;
};

struct TextChunk {
  std::uint64_t offset = 0;  ///< offset of the first byte in the file's text
  std::string_view text;               ///< kTextPadding bytes after it can be read (text_feed.h)
  std::shared_ptr<const char[]> hold;  ///< keeps the text alive
  bool guessed = false;                ///< its end is a guess: the text ends before the next record, with the comma
  const ByteStream* unread = nullptr;  ///< if not null, the text still has to be read from here: unread_bytes of it
  std::size_t unread_bytes = 0;
  std::vector<DamagedText> damaged = {};  ///< in order; all other text is sound records

  std::size_t size() const { return unread ? unread_bytes : text.size(); }
  std::uint64_t end() const { return offset + size(); }
  /// An empty chunk: nothing more can be cut until all guesses so far are proven.
  bool settle() const { return size() == 0; }
};

}  // namespace tv

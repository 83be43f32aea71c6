// A piece of a file that holds whole records, ready to be parsed on any thread. If the file can be read at any offset, the
// parsing thread reads the text, so that the text is in the cache of its core, and disk reads overlap with parsing.
//
// A guessed chunk ends where the next record seems to begin. The parser proves the guess: if the chunk consists of whole records,
// its end is right, and so is the beginning of the next chunk.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/io/streams/byte_stream.h"

namespace tv {

/// A part of a chunk that is not made of sound records.
struct DamagedText {
  std::uint64_t begin = 0, end = 0;  ///< offsets in the file's text
  bool record = false;               ///< true: a record to repair; false: text to skip
};

struct TextChunk {
  std::uint64_t offset = 0;               ///< of the first byte, in the file's text
  std::string_view text;                  ///< kTextPadding bytes after it can be read (text_feed.h)
  std::shared_ptr<const char[]> hold;     ///< keeps the text alive
  bool guessed = false;                   ///< the end is a guess; the comma before the next record belongs to this chunk
  const ByteStream* unread = nullptr;     ///< if not null, the parsing thread must read unread_bytes from this stream
  std::size_t unread_bytes = 0;
  std::vector<DamagedText> damaged = {};  ///< in order; all other text is sound records

  std::size_t size() const { return unread ? unread_bytes : text.size(); }
  std::uint64_t end() const { return offset + size(); }
  /// An empty chunk means: nothing more can be cut until all guesses so far are proven.
  bool is_pause() const { return size() == 0; }
};

}  // namespace tv

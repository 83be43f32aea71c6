// A piece of a file that holds whole records, ready to be parsed on any thread. If the file can be read at any offset, the parsing
// thread reads the text itself: it is then in the cache of that core, and reading the disk overlaps with parsing.
//
// The end of a guessed chunk is where the next record seems to begin. Parsing proves it: if the text is whole
// records to its end, the guess was right, and with it the beginning of the chunk after it.
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
  std::string_view text;               ///< kTextPadding bytes behind it can be read (text_feed.h)
  std::shared_ptr<const char[]> hold;  ///< keeps the text alive
  bool guessed = false;                ///< then the text goes to the next record's first byte, its comma included
  const ByteStream* unread = nullptr;  ///< not null: the text is still there, unread_bytes of it
  std::size_t unread_bytes = 0;
  std::vector<DamagedText> damaged = {};  ///< in order; everything between them is sound records

  std::size_t size() const { return unread ? unread_bytes : text.size(); }
  std::uint64_t end() const { return offset + size(); }
  /// No text: nothing can be cut before all guesses made so far are proven.
  bool settle() const { return size() == 0; }
};

}  // namespace tv

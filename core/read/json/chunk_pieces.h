// Goes through a chunk's text in pieces that fit into a core's cache. Chunks are large so that costs per chunk (a table of names,
// a place in the order) stay low. But a parser reads the text several times, and is twice as fast if the text and the parser's
// index stay in the cache.
//
// Pieces are cut at likely beginnings of records. If a piece turns out not to be whole records, the cut was wrong, and the whole
// chunk has to be read again as one piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/read/json/padded_text.h"
#include "core/read/json/text_chunk.h"

namespace tv {

struct TextPiece {
  std::uint64_t offset = 0;  ///< in the file's text
  std::string_view text;     ///< a part of the chunk's text, which ends with the last byte of a record if the cut was
                             ///< right; for an unread chunk, it lies at the start of the PaddedText's room
  bool guessed = false;      ///< whether the end of the text is a guess
};

class ChunkPieces {
 public:
  ChunkPieces(const TextChunk& chunk, PaddedText& padded, std::size_t piece_bytes)
      : chunk_(chunk), padded_(padded), piece_bytes_(piece_bytes) {}

  /// The next piece, valid until the following call. Nullopt at the end, or if next() failed.
  std::optional<TextPiece> next();
  /// Whether next() stopped early: it found no likely record, or the file no longer has the text.
  bool failed() const { return failed_; }

 private:
  bool fetch(std::size_t from, std::span<char> to) const;
  std::string_view in_room(std::size_t bytes);

  const TextChunk& chunk_;
  PaddedText& padded_;
  const std::size_t piece_bytes_;
  std::size_t at_ = 0;   // offset of the next piece in the chunk
  std::string opening_;  // the beginning of the chunk's first record (record_opening())
  std::string begun_;    // text of the next piece that was read with the previous piece
  bool failed_ = false;
};

}  // namespace tv

// Goes through a chunk's text in pieces that fit into a core's cache. A chunk is large so that what belongs to each chunk
// (its table of names, its place in the order) is paid for rarely; a parser, which goes over its text several times, is twice
// as fast where the text and its own index of it stay in the cache.
//
// Pieces are cut where a record is likely to begin. A piece that turns out not to be whole records was cut wrong, and all of
// the chunk has to be read again as one piece.
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
  std::string_view text;     ///< in the chunk's text, or when that is unread in the PaddedText's room, from its first byte on;
                             ///< ends with the last byte of a record, if it is whole records
  bool guessed = false;      ///< its end is a guess
};

class ChunkPieces {
 public:
  ChunkPieces(const TextChunk& chunk, PaddedText& padded, std::size_t piece_bytes)
      : chunk_(chunk), padded_(padded), piece_bytes_(piece_bytes) {}

  /// The next piece, valid until the one after it; nullopt at the end, or where it does not go on.
  std::optional<TextPiece> next();
  /// It stopped early: there is no likely record, or the file no longer has the text.
  bool failed() const { return failed_; }

 private:
  bool fetch(std::size_t from, std::span<char> to) const;
  std::string_view in_room(std::size_t bytes);

  const TextChunk& chunk_;
  PaddedText& padded_;
  const std::size_t piece_bytes_;
  std::size_t at_ = 0;   // in the chunk: where the next piece begins
  std::string opening_;  // how its first record begins
  std::string begun_;    // text of the next piece that was read with the last one
  bool failed_ = false;
};

}  // namespace tv

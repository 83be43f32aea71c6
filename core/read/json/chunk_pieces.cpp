#include "core/read/json/chunk_pieces.h"

#include <algorithm>

#include "core/read/json/likely_record.h"

namespace tv {
namespace {

// Removes the comma at the end of a guessed text, and the blanks around it.
std::string_view without_separator(std::string_view text) {
  const std::size_t comma = text.find_last_not_of(" \t\r\n");
  return text.substr(0, text.find_last_not_of(" \t\r\n", comma - 1) + 1);
}

}  // namespace

std::optional<TextPiece> ChunkPieces::next() {
  if (failed_ || at_ == chunk_.size()) return std::nullopt;
  const std::size_t bytes = std::max(std::min(piece_bytes_, chunk_.size() - at_), begun_.size());
  std::string_view text = chunk_.unread ? in_room(bytes) : chunk_.text.substr(at_, bytes);
  if (failed_) return std::nullopt;
  if (at_ == 0) opening_ = record_opening(text);
  const bool last = at_ + bytes == chunk_.size();
  if (!last) {
    const std::size_t next = opening_.empty() ? text.npos : last_likely_record(text, 1, opening_);
    failed_ = next == text.npos;
    if (failed_) return std::nullopt;
    if (chunk_.unread) begun_ = text.substr(next);
    text = text.substr(0, next);
  }
  const bool guessed = !last || chunk_.guessed;
  const TextPiece piece{chunk_.offset + at_, guessed ? without_separator(text) : text, guessed};
  at_ += text.size();
  return piece;
}

// The next bytes of the chunk: those that were read with the previous piece, then more from the file.
std::string_view ChunkPieces::in_room(std::size_t bytes) {
  const std::span<char> room = padded_.room(bytes);
  std::ranges::copy(begun_, room.begin());
  failed_ = !fetch(at_ + begun_.size(), room.subspan(begun_.size()));
  return {room.data(), room.size()};
}

bool ChunkPieces::fetch(std::size_t from, std::span<char> to) const {
  auto n = chunk_.unread->read_at(chunk_.offset + from, to);
  return n && *n == to.size();
}

}  // namespace tv

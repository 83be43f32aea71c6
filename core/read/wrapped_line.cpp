#include "core/read/wrapped_line.h"

#include "core/base/text/terminal_codes.h"

namespace tv {

std::string_view line_piece(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::size_t columns_of(std::string_view piece) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < piece.size(); ++at) {
    if (const std::size_t code = piece[at] == '\x1b' ? terminal_code_length(piece.substr(at)) : 0; code > 0) {
      at += code - 1;
      continue;
    }
    const bool inside_character = (static_cast<unsigned char>(piece[at]) & 0xC0u) == 0x80u;
    columns += inside_character ? 0 : 1;
  }
  return columns;
}

void join_piece(std::string& line, std::string_view piece) {
  const bool cut_behind = (line.ends_with(" -") || line.ends_with('|')) && !piece.starts_with(' ');
  const bool cut_before = (piece.starts_with("- ") || piece.starts_with("| ")) && !line.ends_with(' ');
  if (cut_behind || cut_before) line += ' ';
  line += piece;
}

}  // namespace tv

// Codes that set a terminal's colours, move its cursor or clear its lines: "\x1b[36m", "\x1b[2K" (ECMA-48, control sequences).
// Ray, launchers and progress bars write them into logs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace tv {

/// Whether a code can have this character between its "\x1b[" and its last character.
inline bool is_inside_terminal_code(char c) { return c >= 0x20 && c < 0x40; }
/// Whether a code can have this as its last character.
inline bool is_end_of_terminal_code(char c) { return c >= 0x40 && c < 0x7f; }

/// The length of the code at the beginning of the text; 0: there is none, or the text ends within it.
inline std::size_t terminal_code_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  std::size_t end = 2;
  while (end < text.size() && is_inside_terminal_code(text[end])) ++end;
  return end < text.size() && is_end_of_terminal_code(text[end]) ? end + 1 : 0;
}

/// Whether the text ends with a code. Goes back only over what may belong to it.
inline bool ends_with_terminal_code(std::string_view text) {
  if (text.empty() || !is_end_of_terminal_code(text.back())) return false;
  do text.remove_suffix(1);
  while (!text.empty() && is_inside_terminal_code(text.back()));
  return text.ends_with("\x1b[");
}

/// The text without these codes. A code that is cut off at the end of the text is left out too.
inline std::string without_terminal_codes(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t escape = std::min(text.find("\x1b["), text.size());
    out += text.substr(0, escape);
    text.remove_prefix(escape);
    const std::size_t code = terminal_code_length(text);
    const std::string_view inside = text.substr(std::min<std::size_t>(2, text.size()));
    const bool cut_off = code == 0 && std::ranges::all_of(inside, is_inside_terminal_code);
    if (cut_off) break;
    if (code == 0) out += text.front();
    text.remove_prefix(std::max<std::size_t>(code, 1));
  }
  return out;
}

}  // namespace tv

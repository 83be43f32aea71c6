// Codes that set a terminal's colours, move its cursor or clear its lines: "\x1b[36m", "\x1b[2K" (ECMA-48, control sequences).
// Ray, launchers and progress bars write them into logs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace tv {

/// The length of the code at the beginning of the text; 0: there is none, or the text ends within it.
inline std::size_t terminal_code_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  std::size_t end = 2;
  while (end < text.size() && text[end] >= 0x20 && text[end] < 0x40) ++end;
  return end < text.size() && text[end] >= 0x40 && text[end] < 0x7f ? end + 1 : 0;
}

/// The text without these codes. A code that is cut off at the end of the text is left out too.
inline std::string without_terminal_codes(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t escape = std::min(text.find("\x1b["), text.size());
    out += text.substr(0, escape);
    text.remove_prefix(escape);
    const std::size_t code = terminal_code_length(text);
    const bool cut_off = code == 0 && std::ranges::all_of(text.substr(std::min<std::size_t>(2, text.size())),
                                                          [](char c) { return c >= 0x20 && c < 0x40; });
    if (cut_off) break;
    if (code == 0) out += text.front();
    text.remove_prefix(std::max<std::size_t>(code, 1));
  }
  return out;
}

}  // namespace tv

// The lines of a list from which the user chooses by typing: matching lines, best first; among equal matches, recently used ones
// come first. Pure; the window draws it, and keeps the typed text.
//
// Cost: a fuzzy match of each line, so it runs when the typed text or the lines change.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tv {

struct BoxLine {
  std::string id, text;
  bool enabled = true;
};
struct BoxRow {
  std::size_t line = 0;               ///< index of the line
  std::vector<std::uint32_t> letters; ///< byte offsets of the matched letters in its text
  bool recent = false;
};

/// `recent`: ids, the last used first. If nothing is typed, these lines come first, then all others in their order, then those that
/// cannot be chosen now. Otherwise a line that cannot be chosen comes after equally good matches that can.
std::vector<BoxRow> box_rows(std::span<const BoxLine> lines, std::string_view typed, std::span<const std::string> recent);

}  // namespace tv

// The lines of a list from which the user chooses by typing: matching lines, best first; of equal ones those used before
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
  std::size_t line = 0;               ///< which
  std::vector<std::uint32_t> letters; ///< bytes of its text where letters that were typed begin
  bool recent = false;
};

/// `recent`: ids, the last used first. Nothing typed: those first, then all others as they stand. What cannot be chosen now
/// comes after what can and matches as well; with nothing typed after everything.
std::vector<BoxRow> box_rows(std::span<const BoxLine> lines, std::string_view typed, std::span<const std::string> recent);

}  // namespace tv

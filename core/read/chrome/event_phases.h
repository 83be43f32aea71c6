// Which letters are phases of the Trace Event Format: those that are read here, and those that are none of ours and yet no damage.
// Source: "Trace Event Format" (Google, 2016). Cost: one look into a table for each record.
#pragma once

#include <array>
#include <string_view>

#include "core/base/text/ascii.h"

namespace tv {

/// By character: those that are read.
inline constexpr auto kReadPhases = [] {
  std::array<bool, 256> phases{};
  for (const char c : std::string_view("XBEbneSTpFiIRCstf")) phases[static_cast<unsigned char>(c)] = true;
  return phases;
}();

/// Of the format, too: samples, objects, memory dumps, clocks, contexts, links, and what newer writers may add, a letter.
inline constexpr std::string_view kOtherPhases = "()=,";
inline bool is_phase(char c) {
  const char letter = to_lower(c);
  return (letter >= 'a' && letter <= 'z') || kOtherPhases.find(c) != std::string_view::npos;
}

}  // namespace tv

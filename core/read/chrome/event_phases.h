// The phases of the Trace Event Format: those of events that are read, and others, which are ignored but are not damage.
// Source: "Trace Event Format" (Google, 2016). Cost: one table look-up per record.
#pragma once

#include <array>
#include <string_view>

#include "core/base/text/ascii.h"

namespace tv {

/// By character: whether events with this phase are read. Metadata (M) is handled separately.
inline constexpr auto kReadPhases = [] {
  std::array<bool, 256> phases{};
  for (const char c : std::string_view("XBEbneSTpFiIRCstf")) phases[static_cast<unsigned char>(c)] = true;
  return phases;
}();

/// Phases that are not letters: contexts and links, which are not read. Any letter may be a phase of a newer writer.
inline constexpr std::string_view kOtherPhases = "()=,";
inline bool is_phase(char c) {
  const char letter = to_lower(c);
  return (letter >= 'a' && letter <= 'z') || kOtherPhases.find(c) != std::string_view::npos;
}

}  // namespace tv

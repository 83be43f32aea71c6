// Choices of appearance besides dark and light, for people with other colour vision or motion sensitivity. A plain value, saved
// with the settings.
#pragma once

#include <cstdint>

namespace tv {

enum class PaletteKind : std::uint8_t {
  Usual,      ///< a hue for each family of slices, which names vary a little
  ColorBlind  ///< ten colours that stay apart for every kind of colour blindness (chart_palette.h)
};

struct Appearance {
  PaletteKind palette = PaletteKind::Usual;
  bool reduced_motion = false;  ///< the view jumps to its target instead of gliding
  bool operator==(const Appearance&) const = default;
};

}  // namespace tv

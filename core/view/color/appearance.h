// Choices of appearance besides dark and light, for people who see colours, or bear motion, differently. A plain value, kept
// with the settings.
#pragma once

#include <cstdint>

namespace tv {

enum class PaletteKind : std::uint8_t {
  Usual,      ///< a hue for each family of slices, names vary around it
  ColorBlind  ///< ten colours that stay apart for every kind of colour blindness (chart_palette.h)
};

struct Appearance {
  PaletteKind palette = PaletteKind::Usual;
  bool reduced_motion = false;  ///< the view is where it goes to at once, without gliding
  bool operator==(const Appearance&) const = default;
};

}  // namespace tv

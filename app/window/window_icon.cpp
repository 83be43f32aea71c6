#include "app/window/window_icon.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "core/view/color/palette.h"
#include "embedded_icon.h"

namespace tv {
namespace {

constexpr float kIconField = 64;
constexpr int kSamples = 4;

std::string_view attribute(std::string_view tag, std::string_view name) {
  const std::string before = " " + std::string(name) + "=\"";
  const std::size_t at = tag.find(before);
  if (at == tag.npos) return {};
  const std::size_t begin = at + before.size();
  return tag.substr(begin, tag.find('"', begin) - begin);
}

float number_of(std::string_view tag, std::string_view name) {
  const std::string text(attribute(tag, name));
  return text.empty() ? 0 : std::strtof(text.c_str(), nullptr);
}

Rgba color_of_rect(std::string_view tag) {
  const std::string_view text = attribute(tag, "fill");
  unsigned rgb = 0;
  if (text.size() == 7) std::from_chars(text.data() + 1, text.data() + 7, rgb, 16);
  return rgba(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255);
}

struct IconRect {
  float x, y, width, height, radius;
  bool has(float px, float py) const {
    if (px < x || py < y || px >= x + width || py >= y + height) return false;
    // Distance to the inner part of the rectangle, which excludes the rounded corners.
    const float dx = px - std::clamp(px, x + radius, x + width - radius), dy = py - std::clamp(py, y + radius, y + height - radius);
    return dx * dx + dy * dy <= radius * radius;
  }
};

// Blends `color` over the pixel with coverage `part`.
Rgba covered(Rgba below, Rgba color, float part) {
  const float alpha_below = static_cast<float>(below >> 24) / 255, alpha = part + alpha_below * (1 - part);
  if (alpha <= 0) return 0;
  Rgba out = static_cast<Rgba>(std::lround(alpha * 255)) << 24;
  for (unsigned shift = 0; shift < 24; shift += 8) {
    const auto over = static_cast<float>(color >> shift & 255), under = static_cast<float>(below >> shift & 255);
    out |= static_cast<Rgba>(std::lround((over * part + under * alpha_below * (1 - part)) / alpha)) << shift;
  }
  return out;
}

}  // namespace

Image draw_svg_rects(std::string_view svg, int size) {
  Image image{size, size, std::vector<Rgba>(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), 0)};
  const float unit = kIconField / static_cast<float>(size);
  for (std::size_t at = svg.find("<rect"); at != svg.npos; at = svg.find("<rect", at + 1)) {
    const std::string_view tag = svg.substr(at, svg.find('>', at) - at);
    const IconRect rect{number_of(tag, "x"), number_of(tag, "y"), number_of(tag, "width"), number_of(tag, "height"), number_of(tag, "rx")};
    const Rgba color = color_of_rect(tag);
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        int inside = 0;
        for (int s = 0; s < kSamples * kSamples; ++s) {
          const float sx = (static_cast<float>(s % kSamples) + 0.5f) / kSamples, sy = (static_cast<float>(s / kSamples) + 0.5f) / kSamples;
          inside += rect.has((static_cast<float>(x) + sx) * unit, (static_cast<float>(y) + sy) * unit);
        }
        if (inside == 0) continue;
        Rgba& pixel = image.pixels[static_cast<std::size_t>(y * size + x)];
        pixel = covered(pixel, color, static_cast<float>(inside) / (kSamples * kSamples));
      }
    }
  }
  return image;
}

Image icon_pixels(int size) { return draw_svg_rects(embedded::k_icon_svg, size); }

}  // namespace tv

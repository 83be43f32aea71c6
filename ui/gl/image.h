// A picture in memory, top row first.
#pragma once

#include <algorithm>
#include <vector>

#include "core/view/timeline/draw_items.h"

namespace tv {

struct Image {
  int width = 0, height = 0;
  std::vector<Rgba> pixels;

  Rgba at(int x, int y) const {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

/// A rectangle of the image, without what lies outside of the image. (x, y): its upper left corner.
inline Image cropped(const Image& image, int x, int y, int width, int height) {
  const int x0 = std::clamp(x, 0, image.width), x1 = std::clamp(x + width, x0, image.width);
  const int y0 = std::clamp(y, 0, image.height), y1 = std::clamp(y + height, y0, image.height);
  Image out{x1 - x0, y1 - y0, {}};
  for (int row = y0; row < y1; ++row) {
    const auto begin = image.pixels.begin() + static_cast<std::ptrdiff_t>(row) * image.width;
    out.pixels.insert(out.pixels.end(), begin + x0, begin + x1);
  }
  return out;
}

}  // namespace tv

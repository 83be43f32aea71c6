// A picture in memory, top row first.
#pragma once

#include <vector>

#include "core/view/draw_items.h"

namespace tv {

struct Image {
  int width = 0, height = 0;
  std::vector<Rgba> pixels;

  Rgba at(int x, int y) const {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

}  // namespace tv

// Rasterises the program's icon, assets/icon.svg. That file has only rounded rectangles, on a 64 x 64 canvas; other SVG elements
// are ignored. Edges are anti-aliased with 4 x 4 samples per pixel. Cost: 0.5 ms for 128 x 128.
#pragma once

#include <string_view>

#include "ui/gl/image.h"

namespace tv {

/// A square picture with transparent background. Colours are not premultiplied, as window systems expect.
Image icon_pixels(int size);

/// The same for the <rect> elements of another 64 x 64 SVG.
Image draw_svg_rects(std::string_view svg, int size);

}  // namespace tv

// The program's icon as pixels, from assets/icon.svg: rounded rectangles on a 64 x 64 canvas, the only SVG elements supported here.
// Edges are anti-aliased with 4 x 4 samples per pixel. Cost: 0.5 ms for 128 x 128.
#pragma once

#include <string_view>

#include "ui/gl/image.h"

namespace tv {

/// Not premultiplied, as window systems expect; transparent where nothing is drawn.
Image icon_pixels(int size);

/// The same for another drawing of this kind.
Image drawn_rects(std::string_view svg, int size);

}  // namespace tv

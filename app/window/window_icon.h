// The program's icon as pixels, from assets/icon.svg: rounded rectangles on a field of 64 x 64, which is all that is read of
// SVG here. Edges are smoothed by 4 x 4 samples a pixel. Cost: 0.5 ms for 128 x 128.
#pragma once

#include <string_view>

#include "ui/gl/image.h"

namespace tv {

/// Not premultiplied, as window systems want it; transparent where nothing is drawn.
Image icon_pixels(int size);

/// The same of another drawing of this kind.
Image drawn_rects(std::string_view svg, int size);

}  // namespace tv

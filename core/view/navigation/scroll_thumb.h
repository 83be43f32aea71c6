// The thumb of a scroll bar, in pixels along the bar. It touches the bar's ends exactly where the content ends, also when the content
// is so high that the thumb has its least length.
#pragma once

#include <algorithm>

namespace tv {

struct ScrollThumb {
  double begin = 0, length = 0;
  double content_per_px = 0;  ///< how far the content scrolls while the thumb is dragged by a pixel; 0 if it fits
};

/// `height`: of the bar, which is that of the shown part. `scroll`: the part of `content` above it.
inline ScrollThumb scroll_thumb(double content, double height, double scroll, double least_length) {
  if (content <= height) return {0, height, 0};
  const double length = std::min(height, std::max(least_length, height / content * height));
  const double content_per_px = height > length ? (content - height) / (height - length) : 0;
  return {content_per_px > 0 ? scroll / content_per_px : 0, length, content_per_px};
}

}  // namespace tv

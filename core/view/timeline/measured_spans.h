// Measured spans: stretches of time that stay on the timeline with their lengths while others are looked at. Where they are
// drawn: one below the other when they would overlap, so that every length can be read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/view/navigation/viewport.h"

namespace tv {

struct SpanBar {
  std::uint32_t span = 0;  ///< which
  double x0 = 0, x1 = 0;   ///< pixels, not clipped
  std::uint32_t line = 0;  ///< 0 is the uppermost
};

/// Those in sight; `label_px`: room that a length needs, for spans narrower than that. Reuses the capacity of `out`.
void place_spans(std::span<const TimeRange> spans, const Viewport& view, std::uint32_t width_px, double label_px,
                 std::vector<SpanBar>& out);

}  // namespace tv

// Measured spans: stretches of time that stay on the timeline with their lengths. Overlapping spans are placed one below the
// other, so that every length can be read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/view/navigation/viewport.h"

namespace tv {

struct SpanBar {
  std::uint32_t span = 0;  ///< index of the span
  double x0 = 0, x1 = 0;   ///< pixels, not clipped
  std::uint32_t line = 0;  ///< 0 is the topmost
};

/// Places the spans in sight. `spans` are sorted by begin. `label_px`: width of a length label, more than 0; a narrower span takes up
/// this width. Reuses the capacity of `out`. Cost: O(spans log spans), in every frame.
void place_spans(std::span<const TimeRange> spans, const Viewport& view, std::uint32_t width_px, double label_px,
                 std::vector<SpanBar>& out);

}  // namespace tv

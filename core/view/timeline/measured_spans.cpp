#include "core/view/timeline/measured_spans.h"

#include <algorithm>

namespace tv {

void place_spans(std::span<const TimeRange> spans, const Viewport& view, std::uint32_t width_px, double label_px,
                 std::vector<SpanBar>& out) {
  out.clear();
  const PixelMap map = pixel_map(view, width_px);
  for (std::size_t s = 0; s < spans.size(); ++s) {
    const double x0 = map.x_of(static_cast<double>(spans[s].begin)), x1 = map.x_of(static_cast<double>(spans[s].end));
    if (x1 < 0 || x0 > width_px) continue;
    out.push_back({static_cast<std::uint32_t>(s), x0, x1, 0});
  }
  const auto reach = [&](const SpanBar& bar) { return std::max(bar.x1, bar.x0 + label_px); };
  for (std::size_t b = 1; b < out.size(); ++b) {
    // The first line without overlap with a span placed before; a linear search, because spans are few.
    for (bool free = false; !free;) {
      free = true;
      for (std::size_t other = 0; other < b && free; ++other) {
        free = out[other].line != out[b].line || reach(out[other]) <= out[b].x0 || reach(out[b]) <= out[other].x0;
      }
      if (!free) ++out[b].line;
    }
  }
}

}  // namespace tv

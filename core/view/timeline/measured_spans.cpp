#include "core/view/timeline/measured_spans.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace tv {
namespace {

template <class T>
using LowestFirst = std::priority_queue<T, std::vector<T>, std::greater<T>>;

}  // namespace

void place_spans(std::span<const TimeRange> spans, const Viewport& view, std::uint32_t width_px, double label_px,
                 std::vector<SpanBar>& out) {
  out.clear();
  const PixelMap map = pixel_map(view, width_px);
  for (std::size_t s = 0; s < spans.size(); ++s) {
    const double x0 = map.x_of(static_cast<double>(spans[s].begin)), x1 = map.x_of(static_cast<double>(spans[s].end));
    if (x1 < 0 || x0 > width_px) continue;
    out.push_back({static_cast<std::uint32_t>(s), x0, x1, 0});
  }
  // Each span takes the first line that is free where it begins.
  LowestFirst<std::pair<double, std::uint32_t>> taken;  // the lines in use, by the end of what is on them
  LowestFirst<std::uint32_t> free_lines;
  std::uint32_t lines = 0;
  for (SpanBar& bar : out) {
    for (; !taken.empty() && taken.top().first <= bar.x0; taken.pop()) free_lines.push(taken.top().second);
    if (free_lines.empty()) free_lines.push(lines++);
    bar.line = free_lines.top();
    free_lines.pop();
    taken.emplace(std::max(bar.x1, bar.x0 + label_px), bar.line);
  }
}

}  // namespace tv

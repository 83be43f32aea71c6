#include "core/view/minimap.h"

#include <algorithm>
#include <cmath>

namespace tv {

namespace {

TimeRange not_empty(TimeRange range) { return {range.begin, std::max(range.end, range.begin + kMicrosecond)}; }

}  // namespace

TimeRange shown_extent(const Trace& trace) { return not_empty(trace.shown()); }

TimeRange reachable_extent(const Trace& trace) {
  TimeRange all = not_empty(trace.extent);
  const TimeRange shown = shown_extent(trace);
  all.include(shown.begin, shown.end);
  return all;
}

void build_minimap(const Snapshot& snapshot, const Palette& palette, const Viewport& view, const HitSpread& hits,
                   std::uint32_t width_px, Minimap& out) {
  out.columns.assign(width_px, 0);
  out.hits.assign(width_px, false);
  for (std::size_t b = 0; b < kHitBuckets && hits.hits > 0 && width_px > 0; ++b) {
    if (hits.any[b]) out.hits[(2 * b + 1) * width_px / (2 * kHitBuckets)] = true;
  }
  const Overview& overview = snapshot.index->whole();
  const unsigned busiest = *std::max_element(overview.busy.begin(), overview.busy.end());
  for (std::uint32_t x = 0; x < width_px && busiest > 0; ++x) {
    // The busiest of the buckets in the pixel: a short burst stays visible in a narrow window.
    const std::size_t first = x * kOverviewBuckets / width_px;
    const std::size_t last = std::max((x + 1) * kOverviewBuckets / width_px, first + 1);
    const auto most = std::max_element(overview.busy.begin() + static_cast<std::ptrdiff_t>(first),
                                       overview.busy.begin() + static_cast<std::ptrdiff_t>(last));
    if (*most == 0) continue;
    const LabelId label = overview.label[static_cast<std::size_t>(most - overview.busy.begin())];
    out.columns[x] = with_alpha(palette.fill(label), std::max(*most * 255u / busiest, 16u));
  }

  const TimeRange extent = shown_extent(*snapshot.trace);
  const double px_per_ns = width_px / static_cast<double>(extent.length()), width = width_px;
  const auto place = [&](double t) { return (t - static_cast<double>(extent.begin)) * px_per_ns; };
  constexpr double kLeastPx = 2;
  const double middle =
      std::clamp(place(view.begin + view.span / 2), kLeastPx / 2, std::max(width - kLeastPx / 2, 1.0));
  out.window_x0 =
      static_cast<float>(std::clamp(std::min(place(view.begin), middle - kLeastPx / 2), 0.0, width));
  out.window_x1 =
      static_cast<float>(std::clamp(std::max(place(view.end()), middle + kLeastPx / 2), 0.0, width));
}

double minimap_time(const Trace& trace, double x, std::uint32_t width_px) {
  const TimeRange extent = shown_extent(trace);
  return static_cast<double>(extent.begin) +
         x / std::max(width_px, 1u) * static_cast<double>(extent.length());
}

}  // namespace tv

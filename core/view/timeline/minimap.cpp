#include "core/view/timeline/minimap.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/view/color/chart_palette.h"

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

Viewport minimap_span(const Trace& trace) { return fit(shown_extent(trace), reachable_extent(trace)); }

Overview overview_of(const Snapshot& snapshot, const LaneLayout& layout, const LaneLayout* below) {
  const Trace& trace = *snapshot.trace;
  const auto shown = [&](std::size_t l) { return layout.shows(id_at<LaneId>(l)) || (below && below->shows(id_at<LaneId>(l))); };
  std::size_t lanes = 0, missing = 0;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (trace.lanes[l].slices == 0) continue;
    ++(shown(l) ? lanes : missing);
  }
  if (missing == 0) return snapshot.index->whole();
  OverviewBuilder builder(trace.shown());
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (trace.lanes[l].slices == 0 || !shown(l)) continue;
    if (const Overview* const overview = snapshot.index->overview(id_at<LaneId>(l))) {
      builder.add_overview(*overview);
      continue;
    }
    const auto lane = id_at<LaneId>(l);
    const double weight = 1.0 / static_cast<double>(std::max<std::size_t>(snapshot.index->slots(lane), 1));
    for (std::size_t i = 0; i < snapshot.index->union_rows(lane); ++i) {
      builder.add_row(snapshot.index->union_row(trace, lane, i), weight);
    }
  }
  return builder.finish(std::max<std::size_t>(lanes, 1));
}

void build_minimap(const Snapshot& snapshot, const Overview& overview, const Palette& palette, const Viewport& view,
                   const HitSpread& hits, std::uint32_t width_px, Minimap& out, const SliceColors* colors) {
  const Trace& trace = *snapshot.trace;
  out.columns.assign(width_px, 0);
  out.hits.assign(width_px, false);
  // The buckets cover the shown range; the strip extends a little beyond both ends.
  const double first = minimap_x(trace, static_cast<double>(shown_extent(trace).begin), width_px);
  const double last = minimap_x(trace, static_cast<double>(shown_extent(trace).end), width_px);
  const double per_bucket = (last - first) / static_cast<double>(kOverviewBuckets);
  for (std::size_t b = 0; b < kHitBuckets && hits.hits > 0 && width_px > 0; ++b) {
    const double part = (static_cast<double>(b) + 0.5) / static_cast<double>(kHitBuckets);
    const auto x = static_cast<std::size_t>(first + part * (last - first));
    if (hits.any[b] && x < width_px) out.hits[x] = true;
  }
  const unsigned busiest = *std::max_element(overview.busy.begin(), overview.busy.end());
  Rgba last_fill = 0, last_drawn = 0;  // remembered, because neighbours mostly have the same colour
  for (std::uint32_t x = 0; x < width_px && busiest > 0; ++x) {
    // Draws the busiest bucket of the pixel, so that a short burst stays visible in a narrow window.
    const double from = (x - first) / per_bucket, to = (x + 1 - first) / per_bucket;
    if (to <= 0 || from >= static_cast<double>(kOverviewBuckets)) continue;
    const auto b0 = static_cast<std::size_t>(std::max(from, 0.0));
    const std::size_t b1 = std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(to)), b0 + 1, kOverviewBuckets);
    if (b0 >= kOverviewBuckets) continue;
    const auto most = std::max_element(overview.busy.begin() + static_cast<std::ptrdiff_t>(b0),
                                       overview.busy.begin() + static_cast<std::ptrdiff_t>(b1));
    if (*most == 0) continue;
    const LabelId label = overview.label[static_cast<std::size_t>(most - overview.busy.begin())];
    const Rgba fill = colors ? colors->look(colors->of_summary(label, kNone<LaneId>)).fill : palette.fill(label);
    if (fill != std::exchange(last_fill, fill)) last_drawn = minimap_fill(fill, palette.theme());
    out.columns[x] = with_alpha(last_drawn, std::max(*most * 255u / busiest, 16u));
  }

  std::tie(out.window_x0, out.window_x1) = minimap_window(trace, view, width_px);
}

std::pair<float, float> minimap_window(const Trace& trace, const Viewport& view, std::uint32_t width_px) {
  const double width = width_px;
  constexpr double kLeastPx = 2;
  const double middle = std::clamp(minimap_x(trace, view.begin + view.span / 2, width_px), kLeastPx / 2,
                                   std::max(width - kLeastPx / 2, 1.0));
  const double x0 = std::clamp(std::min(minimap_x(trace, view.begin, width_px), middle - kLeastPx / 2), 0.0, width);
  const double x1 = std::clamp(std::max(minimap_x(trace, view.end(), width_px), middle + kLeastPx / 2), 0.0, width);
  return {static_cast<float>(x0), static_cast<float>(x1)};
}

Rgba minimap_fill(Rgba fill, ThemeKind theme) {
  const bool dark = theme == ThemeKind::Dark;
  const Rgba ground = chart_ink(theme).background, away = dark ? rgba(255, 255, 255) : rgba(0, 0, 0);
  constexpr double kEnough = 3.3, kStep = 0.1;  // more than 3, because the window's background differs a little from that of charts
  Rgba color = with_alpha(fill, 255);
  for (double part = kStep; part < 1 && contrast(color, ground) < kEnough; part += kStep) {
    color = chart_mix(with_alpha(fill, 255), away, part);
  }
  return color;
}

double minimap_time(const Trace& trace, double x, std::uint32_t width_px) {
  const Viewport all = minimap_span(trace);
  return all.begin + x / std::max(width_px, 1u) * all.span;
}

double minimap_x(const Trace& trace, double t, std::uint32_t width_px) {
  const Viewport all = minimap_span(trace);
  return (t - all.begin) / all.span * width_px;
}

MinimapGrip minimap_grip(const Minimap& minimap, double x, double tolerance_px) {
  const double x0 = static_cast<double>(minimap.window_x0), x1 = static_cast<double>(minimap.window_x1);
  const double to_begin = std::abs(x - x0), to_end = std::abs(x - x1);
  // The edges of a narrow window are grabbed from outside, so that its middle can still move it.
  const double inside = std::min(tolerance_px, (x1 - x0) / 4);
  if (x > x0 + inside && x < x1 - inside) return MinimapGrip::Window;
  if (std::min(to_begin, to_end) > tolerance_px) return MinimapGrip::Beside;
  return x < (x0 + x1) / 2 ? MinimapGrip::Begin : MinimapGrip::End;
}

Viewport dragged_window(const Viewport& grabbed, MinimapGrip grip, double from, double to, TimeRange limits) {
  switch (grip) {
    case MinimapGrip::Begin: {
      const double begin = std::min(grabbed.begin + to - from, grabbed.end() - kMinSpanNs);
      return clamp({begin, grabbed.end() - begin}, limits);
    }
    case MinimapGrip::End: return clamp({grabbed.begin, std::max(grabbed.span + to - from, kMinSpanNs)}, limits);
    case MinimapGrip::Window: return clamp({grabbed.begin + to - from, grabbed.span}, limits);
    case MinimapGrip::Beside: return clamp({to - grabbed.span / 2, grabbed.span}, limits);
    case MinimapGrip::None: break;
  }
  return grabbed;
}

}  // namespace tv

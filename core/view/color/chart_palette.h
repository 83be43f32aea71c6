// Colours of charts. A chart names colours by number, so that the same thing has the same colour in every chart, theme and
// export. All have a contrast of at least 3 with the background. The first ten stay apart for every kind of colour blindness;
// each later one is as far as possible from all before it. They were found by a search with Machado's matrices and distances in
// OKLab; chart_export_test.cpp checks them. Cost: a table look-up.
#pragma once

#include "core/view/color/palette.h"

namespace tv {

inline constexpr int kChartColors = 32, kClearChartColors = 10;

/// 0 blue, 1 orange, 2 green, 3 pink, 4 sky, 5 red-brown, 6 olive or yellow, 7 violet, 8 brown, 9 grey; after kChartColors they
/// repeat. Negative: no series, a neutral line (a mean, a quantile).
Rgba chart_color(int color, ThemeKind theme);

/// The colour of a cell: 0 is near the background, 1 far from it; contrast rises monotonically. NaN and values below 0 count as 0,
/// values above 1 as 1.
Rgba chart_heat(double part, ThemeKind theme);

/// A mix of two colours; `part_of_b` is 0 for all `a`, 1 for all `b`.
Rgba chart_mix(Rgba a, Rgba b, double part_of_b);

/// Colours of everything that is not data.
struct ChartInk {
  Rgba background, text, text_dim, grid, axis, box, box_border;
};
const ChartInk& chart_ink(ThemeKind theme);

}  // namespace tv

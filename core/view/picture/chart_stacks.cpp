#include "core/view/picture/chart_stacks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tv {
namespace {

using Mark = ChartSeries::Mark;

bool usable(double value) { return std::fabs(value) <= 1e300; }

std::vector<double> places(const Chart& chart, const ChartFrame& frame, bool boxes) {
  std::vector<double> xs;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const ChartSeries& series = chart.series[s];
    if (!frame.shows(s) || !(series.mark == Mark::Bars || (boxes && series.mark == Mark::Boxes))) continue;
    const std::size_t n = chart_points(series);
    std::copy_if(series.x.begin(), series.x.begin() + static_cast<std::ptrdiff_t>(n), std::back_inserter(xs), usable);
  }
  std::sort(xs.begin(), xs.end());
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  return xs;
}

}  // namespace

bool chart_on_y2(const Chart& chart, std::size_t series) {
  return chart.y2 && !chart.horizontal &&
         std::find(chart.on_y2.begin(), chart.on_y2.end(), series) != chart.on_y2.end();
}

std::size_t chart_points(const ChartSeries& series) {
  const std::size_t per_x = series.mark == Mark::Boxes ? 5 : series.mark == Mark::Span ? 2 : 1;
  return std::min(series.x.size(), series.y.size() / per_x);
}

std::vector<ChartBar> chart_bars(const Chart& chart, const ChartFrame& frame) {
  const std::vector<double> xs = places(chart, frame, false);
  // Heights of the stacks so far: for each axis, upwards and downwards.
  std::array<std::vector<double>, 4> sums;
  for (auto& sum : sums) sum.resize(xs.size());
  std::vector<ChartBar> bars;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const ChartSeries& series = chart.series[s];
    if (series.mark != Mark::Bars || !frame.shows(s)) continue;
    for (std::size_t i = 0; i < chart_points(series); ++i) {
      const double x = series.x[i], length = series.y[i];
      if (!usable(x) || !usable(length)) continue;
      ChartBar bar{static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(i), x, 0, length};
      if (!chart.side_by_side) {
        auto& sum = sums[(chart_on_y2(chart, s) ? 2u : 0u) + (length < 0 ? 1u : 0u)];
        double& height = sum[static_cast<std::size_t>(std::lower_bound(xs.begin(), xs.end(), x) - xs.begin())];
        bar.from = height;
        bar.to = height = std::clamp(height + length, -1e300, 1e300);
      }
      bars.push_back(bar);
    }
  }
  return bars;
}

ChartSlots chart_slots(const Chart& chart, const ChartFrame& frame) {
  ChartSlots slots;
  slots.slot.resize(chart.series.size());
  std::size_t used = 0;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const Mark mark = chart.series[s].mark;
    const bool has_slot = mark == Mark::Boxes || (mark == Mark::Bars && chart.side_by_side);
    if (has_slot && frame.shows(s)) slots.slot[s] = used++;
  }
  slots.count = std::max<std::size_t>(1, used);
  const ChartAxis& along = chart.horizontal ? chart.y : chart.x;
  if (!along.categories.empty()) return slots;
  const std::vector<double> xs = places(chart, frame, true);
  double pitch = 0;
  for (std::size_t i = 1; i < xs.size(); ++i) {
    const double gap = xs[i] - xs[i - 1];
    if (gap > 1e-290 && (pitch == 0 || gap < pitch)) pitch = gap;
  }
  if (pitch > 0) slots.pitch = pitch;
  return slots;
}

}  // namespace tv

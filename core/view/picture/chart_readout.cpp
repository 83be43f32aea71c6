#include "core/view/picture/chart_readout.h"

#include <algorithm>
#include <cmath>

#include "core/view/picture/chart_stacks.h"
#include "core/view/picture/chart_ticks.h"

namespace tv {

std::optional<double> chart_value_at(const ChartSeries& series, double x, bool log_x, bool log_y) {
  const std::size_t n = std::min(series.x.size(), series.y.size());
  const auto along = [log_x](double at) { return log_x ? std::log10(at) : at; };
  const auto across = [log_y](double at) { return log_y ? std::log10(at) : at; };
  const auto between = [&](std::size_t a, std::size_t b) -> std::optional<double> {
    const double from = along(series.x[a]), length = along(series.x[b]) - from;
    const double part = length != 0 ? (along(x) - from) / length : 0;
    const double y0 = across(series.y[a]), y1 = across(series.y[b]);
    const double y = part == 0 ? y0 : part == 1 ? y1 : y0 + (y1 - y0) * part;
    if (!std::isfinite(y)) return std::nullopt;
    return log_y ? std::pow(10.0, y) : y;
  };
  const auto begin = series.x.begin(), end = begin + static_cast<std::ptrdiff_t>(n);
  if (n == 0 || !std::isfinite(x)) return std::nullopt;
  if (std::is_sorted(begin, end)) {
    const auto above = static_cast<std::size_t>(std::upper_bound(begin, end, x) - begin);
    if (above == 0) return std::nullopt;
    if (series.x[above - 1] == x) return between(above - 1, above - 1);  // the last of several points at x
    return above == n ? std::nullopt : between(above - 1, above);
  }
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const auto [low, high] = std::minmax(series.x[i], series.x[i + 1]);
    if (low <= x && x <= high) return between(i, i + 1);
  }
  return std::nullopt;
}

ChartReadout chart_readout(const Chart& chart, const ChartPicture& picture, const std::vector<bool>& hidden, float px) {
  ChartReadout readout;
  if (chart.horizontal) return readout;
  double x = picture.x.value(px);
  // Categories and counts have no values between them.
  if (!chart.x.categories.empty() || chart.x.unit == ChartUnit::Count) x = std::round(x);
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const ChartSeries& series = chart.series[s];
    const bool line = series.mark == ChartSeries::Mark::Line || series.mark == ChartSeries::Mark::LineAndDots;
    if (!line || (s < hidden.size() && hidden[s])) continue;
    const bool second = chart_on_y2(chart, s);
    const ChartScale& scale = second ? picture.y2 : picture.y;
    const ChartAxis& axis = second ? *chart.y2 : chart.y;
    const auto value = chart_value_at(series, x, chart.x.log, axis.log);
    if (!value) continue;
    const std::string name = series.name.empty() ? chart_title_without_unit(axis) : series.name;
    readout.lines.push_back(
        {s, *value, picture.x.px(x), scale.px(*value), name + " " + chart_number(*value, axis.unit)});
  }
  if (!readout.lines.empty()) readout.at = chart_position(chart.x, x);
  return readout;
}

}  // namespace tv

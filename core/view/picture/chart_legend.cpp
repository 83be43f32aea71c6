#include <algorithm>
#include <cmath>
#include <string>

#include "core/view/picture/chart_annotations.h"
#include "core/view/picture/chart_marks.h"
#include "core/view/picture/chart_ticks.h"

namespace tv {
namespace {

using Mark = ChartSeries::Mark;

constexpr float kSymbol = 18, kSymbolGap = 6, kEntryGap = 16, kHeatWidth = 120;  // px at a font of 15

void draw_symbol(const ChartSeries& series, bool spans_are_bands, bool shown, ChartPen& pen, const ChartBox& box) {
  Rgba color = pen.color(series.color);
  if (series.faint || !shown) color = chart_mix(color, pen.ink().background, shown ? 0.6 : 0.8);
  const float middle = (box.y0 + box.y1) / 2;
  const ChartPoint ends[] = {{box.x0, middle}, {box.x1, middle}};
  const ChartPoint dot[] = {{(box.x0 + box.x1) / 2, middle}};
  const float half = pen.px(5.5f);
  const ChartBox square{std::round(dot->x - half), std::round(middle - half), std::round(dot->x + half),
                        std::round(middle + half)};
  switch (series.mark) {
    case Mark::Line: pen.line(ends, color, pen.px(2.4f), series.dashed); return;
    case Mark::LineAndDots: pen.line(ends, color, pen.px(2), series.dashed); [[fallthrough]];
    case Mark::Dots: pen.dots(dot, color, pen.px(3.8f)); return;
    case Mark::Bars:
    case Mark::Boxes:
    case Mark::Span: break;
  }
  if (series.hatched || (series.mark == Mark::Span && spans_are_bands) || series.mark == Mark::Boxes) {
    pen.rect(square, chart_mix(color, pen.ink().background, 0.65));
    if (series.hatched) pen.hatch(square, color);
    if (series.mark == Mark::Boxes) pen.frame(square, color);
  } else {
    pen.rect(square, color);
  }
}

}  // namespace

ChartLegend::ChartLegend(const Chart& chart, const ChartPen& pen, float width, std::size_t most_lines) {
  std::vector<std::size_t> named;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    if (!chart.series[s].name.empty()) named.push_back(s);
  }
  const std::size_t count = named.size();
  if (count > 0 && width >= pen.px(kSymbol + kSymbolGap) + pen.font() * 2) {
    while (!lay_out(chart, named, count - named.size(), pen, width, most_lines)) {
      named.erase(named.begin() + least_visible(chart, named));
    }
  }
  if (lines_ < most_lines) add_heat(chart, pen, width);
}

// Arranges these series in lines, followed by "+2" if two series are left out. Returns false if they do not fit. A single series
// always fits.
bool ChartLegend::lay_out(const Chart& chart, const std::vector<std::size_t>& named, std::size_t left_out, const ChartPen& pen,
                          float width, std::size_t most_lines) {
  const float symbol_width = pen.px(kSymbol + kSymbolGap), gap = pen.px(kEntryGap);
  entries_.clear();
  lines_ = 1;
  width_ = last_width_ = 0;
  float x = 0;
  for (const std::size_t s : named) {
    const float most_width = std::min(width - symbol_width, pen.font() * 22);
    std::string name = chart_elided(chart.series[s].name, most_width, pen.font(), pen.measure());
    const float entry_width = symbol_width + pen.width(name);
    if (x > 0 && x + entry_width > width) {
      if (lines_ == most_lines) return false;
      ++lines_;
      x = 0;
    }
    entries_.push_back({s, std::move(name), x, entry_width, lines_ - 1});
    last_width_ = x + entry_width;
    width_ = std::max(width_, last_width_);
    x = last_width_ + gap;
  }
  if (left_out == 0) return true;
  more_ = "+" + std::to_string(left_out);
  more_x_ = last_width_ + gap;
  last_width_ = more_x_ + pen.width(more_);
  if (last_width_ > width && named.size() > 1) return false;
  width_ = std::max(width_, last_width_);
  return true;
}

// The index of the series that fills the least area; of equal ones, the last. If any series has marks other than bars and spans,
// areas cannot be compared, and it is the index of the last series.
std::ptrdiff_t ChartLegend::least_visible(const Chart& chart, const std::vector<std::size_t>& named) {
  std::vector<double> areas;
  for (const std::size_t s : named) {
    const ChartSeries& series = chart.series[s];
    if (series.mark != Mark::Bars && series.mark != Mark::Span) return std::ssize(named) - 1;
    double sum = 0;
    for (std::size_t i = 0; i < series.y.size(); ++i) {
      const double length = series.mark == Mark::Bars ? series.y[i] : i % 2 == 1 ? series.y[i] - series.y[i - 1] : 0;
      if (std::isfinite(length)) sum += std::fabs(length);
    }
    areas.push_back(sum);
  }
  return std::ssize(areas) - 1 - (std::min_element(areas.rbegin(), areas.rend()) - areas.rbegin());
}

void ChartLegend::add_heat(const Chart& chart, const ChartPen& pen, float width) {
  if (!chart.cells ||
      std::none_of(chart.cells->value.begin(), chart.cells->value.end(), [](double v) { return std::isfinite(v); })) {
    return;
  }
  const ChartRange range = chart_cell_range(*chart.cells);
  heat_low_ = chart_number(range.low, ChartUnit::None);
  heat_high_ = chart_number(range.high, ChartUnit::None);
  const float scale_width = pen.width(heat_low_) + pen.width(heat_high_) + pen.px(kHeatWidth + 3 * kSymbolGap);
  if (scale_width > width) return;
  heat_name_ = chart_elided(chart.cells->name, width - scale_width, pen.font(), pen.measure());
  heat_ = true;
  ++lines_;
  last_width_ = scale_width + pen.width(heat_name_);
  width_ = std::max(width_, last_width_);
}

void ChartLegend::draw(const Chart& chart, const ChartFrame& frame, ChartPen& pen, float x, float y) const {
  pen.begin_series(-1, false);
  const bool spans_are_bands = (chart.horizontal ? chart.y : chart.x).categories.empty();
  for (const Entry& entry : entries_) {
    const ChartSeries& series = chart.series[entry.series];
    const bool shown = frame.shows(entry.series);
    const float left = x + entry.x, top = y + static_cast<float>(entry.line) * pen.line_height();
    draw_symbol(series, spans_are_bands, shown, pen, {left, top, left + pen.px(kSymbol), top + pen.font()});
    pen.text(left + pen.px(kSymbol + kSymbolGap), top, ChartAnchor::Left, entry.name,
             shown ? pen.ink().text : chart_mix(pen.ink().text_dim, pen.ink().background, 0.5));
    pen.picture().legend.push_back(
        {{left, top, left + entry.width, top + pen.font()}, static_cast<std::int32_t>(entry.series)});
  }
  if (!more_.empty()) {
    pen.text(x + more_x_, y + static_cast<float>(lines_ - 1) * pen.line_height(), ChartAnchor::Left, more_, pen.ink().text_dim);
  }
  if (heat_) draw_heat(pen, x, y + static_cast<float>(lines_ - 1) * pen.line_height());
}

void ChartLegend::draw_heat(ChartPen& pen, float x, float y) const {
  const float gap = pen.px(kSymbolGap);
  if (!heat_name_.empty()) x = pen.text(x, y, ChartAnchor::Left, heat_name_, pen.ink().text).x1 + gap;
  x = pen.text(x, y, ChartAnchor::Left, heat_low_, pen.ink().text_dim).x1 + gap;
  constexpr int kSteps = 40;
  const float step = pen.px(kHeatWidth) / kSteps, top = std::round(y + pen.font() * 0.2f),
              bottom = std::round(y + pen.font() * 0.85f);
  for (int i = 0; i < kSteps; ++i) {
    const float left = std::round(x + step * static_cast<float>(i)),
                right = std::round(x + step * static_cast<float>(i + 1));
    pen.rect({left, top, right, bottom}, chart_heat((i + 0.5) / kSteps, pen.picture().theme));
  }
  pen.text(x + pen.px(kHeatWidth) + gap, y, ChartAnchor::Left, heat_high_, pen.ink().text_dim);
}

}  // namespace tv

// Draws the cells of a heat map.
#include <algorithm>
#include <cmath>

#include "core/view/picture/chart_marks.h"
#include "core/view/picture/chart_ticks.h"

namespace tv {

ChartRange chart_cell_range(const ChartCells& cells) {
  if (cells.shares) return {0, 100};
  ChartExtent extent;
  extent.add(cells.value);
  return {extent.low(), extent.high()};
}

void draw_chart_cells(ChartPlane& plane) {
  if (!plane.chart.cells) return;
  const ChartCells& cells = *plane.chart.cells;
  const std::size_t columns = plane.chart.x.categories.size(), rows = plane.chart.y.categories.size();
  if (columns == 0 || rows == 0) return;
  const ChartRange range = chart_cell_range(cells);
  ChartPen& pen = plane.pen;
  const ChartPicture& picture = pen.picture();
  const ChartBox& plot = plane.plot();
  pen.begin_series(-1, true);

  // Cells that share a pixel are drawn as one, with the greatest value.
  const auto per_px = [](std::size_t n, float px) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(static_cast<float>(n) / std::max(px, 1.0f))));
  };
  const double shown = picture.x.high() - picture.x.low();
  const std::size_t wide = per_px(static_cast<std::size_t>(std::clamp(shown, 1.0, 1e9)), plot.width());
  const std::size_t high = per_px(rows, plot.height());
  const auto edge = [](const ChartScale& scale, std::size_t n) {
    return std::round(scale.px_clamped(static_cast<double>(n) - 0.5));
  };
  const float cell_width = std::fabs(picture.x.px(1) - picture.x.px(0)),
              cell_height = std::fabs(picture.y.px(1) - picture.y.px(0));
  const float gap = std::min(cell_width, cell_height) >= pen.px(7) ? pen.hairline() : 0;

  float widest = 0;
  if (cell_height >= pen.font() + pen.px(3) && cell_width > pen.font() * 2) {
    for (const double value : cells.value) widest = std::max(widest, pen.width(chart_number(value, ChartUnit::None)));
  }
  const bool written = widest > 0 && cell_width >= widest + pen.px(6);

  for (std::size_t row = 0; row < rows; row += high) {
    for (std::size_t column = 0; column < columns; column += wide) {
      const std::size_t row_end = std::min(row + high, rows), column_end = std::min(column + wide, columns);
      const ChartBox box{edge(picture.x, column), edge(picture.y, row), edge(picture.x, column_end) - gap,
                         edge(picture.y, row_end) - gap};
      if (!(box.x1 > box.x0 && box.y1 > box.y0)) continue;
      std::size_t greatest = cells.value.size();
      for (std::size_t r = row; r < row_end; ++r) {
        for (std::size_t c = column; c < column_end; ++c) {
          const std::size_t cell = r * columns + c;
          if (cell >= cells.value.size() || !(std::fabs(cells.value[cell]) <= 1e300)) continue;
          if (greatest == cells.value.size() || cells.value[cell] > cells.value[greatest]) greatest = cell;
        }
      }
      if (greatest == cells.value.size()) continue;
      const double value = cells.value[greatest];
      const double part = range.high > range.low ? (value - range.low) / (range.high - range.low) : 0.5;
      const Rgba color = chart_heat(part, picture.theme);
      pen.rect(box, color);
      const std::string number = chart_number(value, ChartUnit::None);
      if (written) {
        pen.text((box.x0 + box.x1) / 2, (box.y0 + box.y1 - pen.font()) / 2, ChartAnchor::Center, number,
                 text_on(color));
      }
      pen.hit(box, false, static_cast<std::uint32_t>(greatest),
              greatest < cells.targets.size() ? cells.targets[greatest] : ChartTarget(),
              {plane.chart.y.categories[greatest / columns], plane.chart.x.categories[greatest % columns],
               cells.name.empty() ? number : cells.name + " " + number});
    }
  }
}

}  // namespace tv

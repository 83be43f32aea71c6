// How the charts of a panel are arranged. A row has as many charts as can show their tables with all columns. It has more if
// charts would otherwise be too low: a table can scroll, but a plot of 60 pixels is of little use. No chart is cut off at the
// panel's edge: if the rows do not fit, each is as high as the panel, less the titles of the next row. In pixels.
#pragma once

#include <cstddef>

namespace tv {

struct ChartGridNeeds {
  std::size_t charts = 1;
  float whole_width = 0;   ///< a chart this wide shows a table with all its columns next to its picture
  float least_width = 0;   ///< a narrower chart is unreadable
  float good_height = 0;   ///< charts below this height count as too low
  float least_height = 0;  ///< a lower chart is unreadable: then the panel scrolls
  float next_height = 0;   ///< height of the visible part of the next row in that case
};

struct ChartGrid {
  std::size_t columns = 1;
  float width = 0, height = 0;  ///< of each chart
};

/// The width of one of two charts in a row, if only that one has a table. It gets more than half of the row if its columns want
/// that (`wanted`), as long as the other keeps its least width.
float width_with_table(const ChartGrid& grid, float wanted, float least_of_other);

/// `gap`: between charts, in both directions.
ChartGrid chart_grid(const ChartGridNeeds& needs, float width, float height, float gap);

}  // namespace tv

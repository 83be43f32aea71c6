// How the charts of a panel are arranged. A row has as many as can show their tables with all columns;
// more if they would be too low otherwise: a plot of 60 pixels says less than a table that scrolls. No chart is cut at the
// panel's edge: if rows do not fit, each has the panel's height, and the titles of the next one are in sight. In pixels.
#pragma once

#include <cstddef>

namespace tv {

struct ChartGridNeeds {
  std::size_t charts = 1;
  float whole_width = 0;   ///< shows a table with all its columns next to its picture
  float least_width = 0;   ///< a narrower chart is unreadable
  float good_height = 0;   ///< less is low
  float least_height = 0;  ///< a lower chart is unreadable: the panel scrolls
  float next_height = 0;   ///< visible part of the next row then
};

struct ChartGrid {
  std::size_t columns = 1;
  float width = 0, height = 0;  ///< of each chart
};

/// The width of one of two charts in a row, if it alone has a table. It takes the width that its columns want, as long as
/// the other keeps its least width. Otherwise both have the same width.
float width_with_table(const ChartGrid& grid, float wanted, float least_of_other);

/// `gap`: between two charts, either way.
ChartGrid chart_grid(const ChartGridNeeds& needs, float width, float height, float gap);

}  // namespace tv

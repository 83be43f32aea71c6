// A chart in rows and columns, for terminals and programs: its own table; or a row for each position along the axis and a column
// for each series; or its cells as a grid, the longer side downwards. If series share no positions, as in scatter plots and
// curves, there is a row for each point. Numbers are shown rounded and kept in full (chart_cell.h). Cost: O(points log points).
#pragma once

#include "core/view/chart/chart.h"

namespace tv {

struct ChartRows {
  ChartTable table;
  bool points = false;  ///< one row per point, which is not useful to read
};
ChartRows chart_as_table(const Chart& chart);

}  // namespace tv

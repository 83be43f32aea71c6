// A chart in rows and columns, for terminals and programs. A chart that has a table gives that table, a histogram its bins. Cells
// become a grid, the longer side downwards. Series become columns, with a row for each position along the axis; if they share few
// positions, as in scatter plots and curves, there is a row for each point instead. Cells show rounded numbers and keep them in
// full (chart_cell.h). Cost: O(points log points).
#pragma once

#include "core/view/chart/chart.h"

namespace tv {

struct ChartRows {
  ChartTable table;
  bool row_per_point = false;  ///< the table suits programs; people cannot read so many rows
};
ChartRows chart_as_table(const Chart& chart);

}  // namespace tv

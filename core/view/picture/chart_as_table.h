// A chart in rows and columns, for terminals and programs: its own table; or else a row for each place along the axis
// and a column for each series; cells as the grid they are, its longer side downwards. Where series share no places, as
// points of a scatter and curves, a row for each point. Numbers are shown rounded and kept in full (chart_cell.h).
// Cost: O(points log points).
#pragma once

#include "core/view/chart/chart.h"

namespace tv {

struct ChartRows {
  ChartTable table;
  bool points = false;  ///< a row for each point: of no use to a reader, however many of them are shown
};
ChartRows chart_as_table(const Chart& chart);

}  // namespace tv

#include "core/view/chart/histogram_table.h"

#include "core/view/chart/chart_cell.h"

namespace tv {

ChartTable histogram_table(const std::vector<double>& edges, const std::vector<CountsOfBins>& columns) {
  ChartTable table;
  table.columns = {{"from", true}, {"to", true}};
  for (const CountsOfBins& column : columns) table.columns.push_back({column.name, true});
  for (std::size_t b = 0; b + 1 < edges.size(); ++b) {
    std::vector<ChartCell>& row = table.rows.emplace_back();
    row = {seconds_cell(edges[b]), seconds_cell(edges[b + 1])};
    for (const CountsOfBins& column : columns) row.push_back(count_cell(column.count[b]));
  }
  return table;
}

}  // namespace tv

// The numbers of a chart as CSV (RFC 4180: CRLF, fields with commas, quotes or line breaks in quotes). Numbers have as many
// digits as it takes to read back the same double; NaN is an empty field. A column has one unit, which its title names, and
// names are whole, even if they are shown shortened (chart_cell.h). One table per file, in long form:
//
//   marks   series,x,y     titles of the axes; one with categories gives their names; spans have from and to, boxes five columns
//                          in place of y; values on the second scale have a column of their own
//   cells   row,column,value
#pragma once

#include <string>
#include <string_view>

#include "core/view/chart/chart.h"

namespace tv {

/// Its cells, or else its marks; if the chart has neither, its table.
std::string chart_csv(const Chart& chart);
std::string table_csv(const ChartTable& table);
/// The same for pasting into a spreadsheet: cells are separated by tabs; tabs and line breaks within cells become spaces.
std::string table_tsv(const ChartTable& table);

}  // namespace tv

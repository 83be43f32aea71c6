// The numbers of a chart as CSV (RFC 4180: CRLF, fields with commas, quotes or line breaks in quotes). Numbers have as many
// digits as it takes to read back the same double; NaN is an empty field. A column has one unit, which its title names, and
// names are whole, even if they are shown shortened (chart_cell.h). One table per file, in long form:
//
//   marks   series,x,y     columns have the titles of the axes; categories are written by name. In place of y, spans have two
//                          columns (from, to) and boxes five. The second scale and labels that are names have their own columns
//   cells   row,column,value
//
// A histogram has a row for each bin instead: from, to and how many (histogram_table.h).
#pragma once

#include <string>
#include <string_view>

#include "core/view/chart/chart.h"

namespace tv {

/// The chart's numbers, if it has them apart from its marks; else its cells or its marks; if it has neither, its table.
std::string chart_csv(const Chart& chart);
std::string table_csv(const ChartTable& table);
/// A table for pasting into a spreadsheet: tabs separate the cells; tabs and line breaks within cells become spaces.
std::string table_tsv(const ChartTable& table);

}  // namespace tv

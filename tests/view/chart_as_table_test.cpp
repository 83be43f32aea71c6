#include "core/view/picture/chart_as_table.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/view/chart/chart_csv.h"
#include "tests/support/sample_charts.h"

using namespace tv;
using namespace tv::test;

namespace {

ChartSeries of(std::string name, ChartSeries::Mark mark, std::vector<double> x, std::vector<double> y) {
  ChartSeries series;
  series.name = std::move(name);
  series.mark = mark;
  series.x = std::move(x);
  series.y = std::move(y);
  return series;
}

}  // namespace

TEST_CASE("chart as table: there is one row per x value, one column per series, and CSV keeps all digits") {
  Chart chart;
  chart.x.title = "step";
  chart.x.unit = ChartUnit::Count;
  chart.y.title = "time (s)";
  chart.y.unit = ChartUnit::Seconds;
  chart.series = {of("gen", ChartSeries::Mark::Bars, {1, 2, 3}, {30.123456, 31, 32}),
                  of("testing", ChartSeries::Mark::LineAndDots, {2, 3}, {60, NAN})};
  const ChartRows rows = chart_as_table(chart);
  CHECK(!rows.row_per_point);
  CHECK(table_csv(rows.table) == "step,gen (s),testing (s)\r\n1,30.123456,\r\n2,31,60\r\n3,32,\r\n");
  CHECK(rows.table.rows[0][1] == "30.12 s");
  CHECK(rows.table.rows[0][2] == "-");
}

TEST_CASE("chart as table: boxes become five columns, and cells a grid with the longer axis as rows") {
  Chart chart;
  chart.x.title = "turn";
  chart.x.categories = {"first", "second"};
  chart.series = {of("call", ChartSeries::Mark::Boxes, {0, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})};
  CHECK(table_csv(chart_as_table(chart).table) ==
        "turn,call: least,call: p25,call: median,call: p75,call: most\r\nfirst,1,2,3,4,5\r\nsecond,6,7,8,9,10\r\n");

  Chart cells;
  cells.x.title = "step";
  cells.x.categories = {"1", "2", "3"};
  cells.y.title = "worker";
  cells.y.categories = {"a", "b"};
  cells.cells = ChartCells{"busy (%)", {1, 2, 3, 4, 5, NAN}, {}};
  // There are more steps than workers, so steps become rows.
  CHECK(table_csv(chart_as_table(cells).table) == "busy (%) by step,a,b\r\n1,1,4\r\n2,2,5\r\n3,3,\r\n");
}

TEST_CASE("chart as table: dots become points, a chart's own table is used, and rows match the columns") {
  Chart chart;
  chart.series = {of("a", ChartSeries::Mark::Dots, {1, 2}, {3, 4}), of("b", ChartSeries::Mark::Dots, {5}, {6})};
  const ChartRows rows = chart_as_table(chart);
  CHECK(rows.row_per_point);
  CHECK(table_csv(rows.table) == "series,x,y\r\na,1,3\r\na,2,4\r\nb,5,6\r\n");
  chart.table.emplace();
  chart.table->columns = {{"own"}};
  CHECK(chart_as_table(chart).table.columns.front().title == "own");
  for (const Chart& odd : odd_charts()) {
    const ChartTable table = chart_as_table(odd).table;
    for (const auto& row : table.rows) CHECK(row.size() == table.columns.size());
  }
}

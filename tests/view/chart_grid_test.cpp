// Chart grids: tables at full width if the height allows, no chart cut off, none too narrow.
#include "core/view/picture/chart_grid.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tv;

namespace {

constexpr float kGap = 8;

ChartGridNeeds needs(std::size_t charts, float whole_width, float least_width) {
  return {charts, whole_width, least_width, 190, 112, 24};
}

float total_height(const ChartGrid& grid, std::size_t charts) {
  const std::size_t rows = (charts + grid.columns - 1) / grid.columns;
  return static_cast<float>(rows) * grid.height + (rows > 1 ? kGap * static_cast<float>(rows) : 0);
}

}  // namespace

TEST_CASE("chart grid: a single chart fills the panel") {
  const ChartGrid grid = chart_grid(needs(1, 420, 420), 1900, 260, kGap);
  CHECK(grid.columns == 1);
  CHECK(grid.width == 1900);
  CHECK(grid.height == 260);
}

TEST_CASE("chart grid: with enough height, charts are stacked so that tables show all columns") {
  const ChartGrid grid = chart_grid(needs(2, 1600, 640), 1900, 800, kGap);
  CHECK(grid.columns == 1);
  CHECK(grid.height == 392);
}

TEST_CASE("chart grid: in a low drawer, two charts with tables are side by side") {
  const ChartGrid grid = chart_grid(needs(2, 1600, 640), 1900, 260, kGap);
  CHECK(grid.columns == 2);
  CHECK(grid.width == 946);
  CHECK(grid.height == 260);
}

TEST_CASE("chart grid: in a narrow panel, charts are stacked and shrink to fit if they can") {
  const ChartGrid fits = chart_grid(needs(2, 1600, 640), 900, 260, kGap);
  CHECK(fits.columns == 1);
  CHECK(fits.height == 122);
  CHECK(total_height(fits, 2) <= 260);
  // One chart fills the panel, with the title of the next one in view.
  const ChartGrid scrolls = chart_grid(needs(2, 1600, 640), 900, 200, kGap);
  CHECK(scrolls.columns == 1);
  CHECK(scrolls.height == 168);
  CHECK(chart_grid(needs(2, 1600, 640), 900, 100, kGap).height == 112);
}

TEST_CASE("chart grid: a column is added only if it saves a row") {
  // Six charts take two rows with three columns as well as with four, so three are enough.
  const ChartGrid grid = chart_grid(needs(6, 900, 420), 1900, 260, kGap);
  CHECK(grid.columns == 3);
  const ChartGrid five = chart_grid(needs(5, 900, 640), 1900, 260, kGap);
  CHECK(five.columns == 2);
}

TEST_CASE("chart grid: if the panel scrolls anyway, charts have its full width") {
  // Four charts: two rows of them would not fit either.
  const ChartGrid grid = chart_grid(needs(4, 1200, 640), 1340, 160, kGap);
  CHECK(grid.columns == 1);
  CHECK(grid.width == 1340);
  CHECK(grid.height == 128);
}

TEST_CASE("chart grid: degenerate inputs still give at least one column and the minimum height") {
  for (const std::size_t charts : {std::size_t{0}, std::size_t{1}, std::size_t{7}}) {
    for (const float width : {0.0f, 10.0f, 5000.0f}) {
      for (const float height : {0.0f, 50.0f, 3000.0f}) {
        const ChartGrid grid = chart_grid(needs(charts, 0, 0), width, height, kGap);
        CHECK(grid.columns >= 1);
        CHECK(grid.columns <= std::max<std::size_t>(charts, 1));
        CHECK(grid.height >= 112);
      }
    }
  }
}

TEST_CASE("chart_grid: a chart with a table takes the width that its neighbour can spare") {
  const ChartGrid grid{2, 660, 200};
  CHECK(width_with_table(grid, 1200, 420) == 900);
  CHECK(width_with_table(grid, 800, 420) == 800);
  CHECK(width_with_table(grid, 500, 420) == 660);
  CHECK(width_with_table({2, 400, 200}, 900, 420) == 400);  // there is nothing to spare
}

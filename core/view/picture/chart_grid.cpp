#include "core/view/picture/chart_grid.h"

#include <algorithm>
#include <cmath>

namespace tv {
namespace {

std::size_t columns_of(float width, float each, std::size_t charts) {
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(width / std::max(each, 1.0f), 0.0f)), 1, charts);
}

}  // namespace

float width_with_table(const ChartGrid& grid, float wanted, float least_of_other) {
  return std::floor(std::clamp(wanted, grid.width, std::max(grid.width, 2 * grid.width - least_of_other)));
}

ChartGrid chart_grid(const ChartGridNeeds& needs, float width, float height, float gap) {
  const std::size_t charts = std::max<std::size_t>(needs.charts, 1);
  const auto rows_of = [&](std::size_t columns) { return (charts + columns - 1) / columns; };
  const auto height_of = [&](std::size_t columns) {
    const std::size_t rows = rows_of(columns);
    return std::floor(height / static_cast<float>(rows)) - (rows > 1 ? gap : 0);
  };
  const std::size_t whole = columns_of(width, needs.whole_width, charts), most = columns_of(width, needs.least_width, charts);
  std::size_t columns = whole;
  for (std::size_t more = columns + 1; more <= most && height_of(columns) < needs.good_height; ++more) {
    if (rows_of(more) < rows_of(columns)) columns = more;
  }
  // Narrow pictures gain nothing if the panel scrolls anyway.
  if (height_of(columns) < needs.least_height) columns = whole;
  const float each = std::floor((width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  const float fits = height_of(columns);
  const float next = rows_of(columns) > 1 ? gap + needs.next_height : 0;
  return {columns, each, fits >= needs.least_height ? fits : std::max(needs.least_height, std::floor(height - next))};
}

}  // namespace tv

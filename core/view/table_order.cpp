#include "core/view/table_order.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <variant>

#include "core/base/natural_less.h"
#include "core/view/chart_cell.h"

namespace tv {

TableOrder after_click(const TableOrder& now, std::size_t column, bool number) {
  return {column, now.column == column ? !now.falling : number};
}

void order_rows(std::vector<std::uint32_t>& rows, std::span<const double> keys, bool falling) {
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    const bool none_a = std::isnan(keys[a]), none_b = std::isnan(keys[b]);
    if (none_a || none_b) return !none_a && none_b;
    return falling ? keys[a] > keys[b] : keys[a] < keys[b];
  });
}

void order_rows(std::vector<std::uint32_t>& rows, std::span<const std::string_view> keys, bool falling) {
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return falling ? natural_less(keys[b], keys[a]) : natural_less(keys[a], keys[b]);
  });
}

std::vector<std::uint32_t> rows_in_order(const ChartTable& table, const TableOrder& order) {
  std::vector<std::uint32_t> rows(table.rows.size());
  std::iota(rows.begin(), rows.end(), 0u);
  if (order.column >= table.columns.size()) return rows;
  std::vector<double> numbers(rows.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<std::string> texts(rows.size());
  bool any_number = false;
  for (const std::uint32_t r : rows) {
    if (order.column >= table.rows[r].size()) continue;
    const ChartCell& cell = table.rows[r][order.column];
    texts[r] = full_text(cell);
    if (const double* const number = std::get_if<double>(&cell.full)) {
      any_number = true;
      numbers[r] = *number;
    }
  }
  if (any_number) {
    order_rows(rows, numbers, order.falling);
  } else {
    order_rows(rows, std::vector<std::string_view>(texts.begin(), texts.end()), order.falling);
  }
  return rows;
}

}  // namespace tv

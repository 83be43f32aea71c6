#include "core/view/table/chart_table_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <variant>

#include "core/base/text/distinct_texts.h"
#include "core/view/chart/chart_cell.h"

namespace tv {
namespace {

// A column is numeric if any of its cells holds a number in full, whatever its other cells hold.
TableColumn column_of(const ChartTable& table, std::size_t column) {
  TableColumn out{table.columns[column].title, table.columns[column].title, {}, ColumnKind::Text};
  out.right = table.columns[column].number;
  const auto has_no_value = [&](const auto& row) { return column >= row.size() || row[column].text.empty() || row[column].text == "-"; };
  out.empty = table.rows.size() > 0 && std::ranges::all_of(table.rows, has_no_value);
  for (const auto& row : table.rows) {
    if (column >= row.size() || !std::holds_alternative<double>(row[column].full)) continue;
    out.unit = std::string(row[column].unit);
    out.kind = out.unit == "ns" ? ColumnKind::Time : out.unit == "%" ? ColumnKind::Share : ColumnKind::Number;
    break;
  }
  return out;
}

}  // namespace

ChartTableModel::ChartTableModel(const ChartTable& table) : table_(table) {
  // Several columns may share a title, but ids must differ.
  std::vector<std::string> ids;
  for (const ChartTable::Column& column : table.columns) ids.push_back(column.title);
  ids = distinct_texts(std::move(ids));
  for (std::size_t c = 0; c < ids.size(); ++c) columns_.emplace_back(column_of(table, c)).id = ids[c];
}

const ChartCell* ChartTableModel::cell(std::size_t row, std::size_t column) const {
  return column < table_.rows[row].size() ? &table_.rows[row][column] : nullptr;
}

void ChartTableModel::text(std::size_t row, std::size_t column, std::string& out) const {
  const ChartCell* const at = cell(row, column);
  out.assign(at ? std::string_view(at->text) : std::string_view());
}

double ChartTableModel::number(std::size_t row, std::size_t column) const {
  const ChartCell* const at = cell(row, column);
  const double* const value = at ? std::get_if<double>(&at->full) : nullptr;
  return value ? *value : std::numeric_limits<double>::quiet_NaN();
}

void ChartTableModel::whole(std::size_t row, std::size_t column, std::string& out) const {
  const ChartCell* const at = cell(row, column);
  const std::string* const full = at ? std::get_if<std::string>(&at->full) : nullptr;
  if (full) {
    out.assign(*full);
  } else {
    text(row, column, out);
  }
}

TableTarget ChartTableModel::target(std::size_t row) const {
  if (row >= table_.targets.size() || table_.targets[row].kind == ChartTarget::Kind::None) return {};
  return {TableTarget::Kind::Other, static_cast<std::uint32_t>(row), {}};
}

}  // namespace tv

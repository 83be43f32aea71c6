#include "core/view/table/table_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/text/csv_text.h"
#include "core/base/text/distinct_texts.h"
#include "core/base/text/json_text.h"
#include "core/view/table/markdown_table.h"

namespace tv {
namespace {

std::string without_breaks(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

// A number in per cent or in the column's unit, as TableModel::number() returns it; a text in full.
std::string plain_cell(const TableModel& model, std::size_t row, std::size_t column, std::string& room) {
  if (model.columns()[column].number()) {
    const double value = model.number(row, column);
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
  }
  model.whole(row, column, room);
  return no_formula(room);
}

std::string json_cell(const TableModel& model, std::size_t row, std::size_t column, std::string& room) {
  if (model.columns()[column].number()) {
    const double value = model.number(row, column);
    return std::isfinite(value) ? fmt::format("{}", value) : std::string("null");
  }
  model.whole(row, column, room);
  return json_quoted(room);
}

std::string markdown_table(const TableModel& model, std::span<const std::uint32_t> rows, std::span<const std::size_t> columns) {
  std::string out;
  std::vector<std::string> cells;
  std::vector<char> right;
  for (const std::size_t c : columns) {
    const TableColumn& column = model.columns()[c];
    cells.push_back(column.title);
    right.push_back(column.number() || column.right);
  }
  append_markdown_row(out, cells);
  append_markdown_rule(out, right);
  for (const std::uint32_t row : rows) {
    for (std::size_t c = 0; c < columns.size(); ++c) model.whole(row, columns[c], cells[c]);
    append_markdown_row(out, cells);
  }
  return out;
}

}  // namespace

std::string no_formula(std::string text) {
  if (looks_like_formula(text)) text.insert(text.begin(), '\'');
  return text;
}

std::string head_with_unit(const TableColumn& column) {
  return column.unit.empty() ? column.title : fmt::format("{} ({})", column.title, column.unit);
}

std::string table_as_text(const TableModel& model, std::span<const std::uint32_t> rows,
                       std::span<const std::size_t> columns, TableFormat format) {
  if (format == TableFormat::Markdown) return markdown_table(model, rows, columns);
  const std::span<const TableColumn> model_columns = model.columns();
  std::string out, room;
  if (format == TableFormat::Json) {
    out += '[';
    for (std::size_t r = 0; r < rows.size(); ++r) {
      out += r > 0 ? ",\n {" : "\n {";
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (c > 0) out += ", ";
        append_json_quoted(out, model_columns[columns[c]].id);
        out += ": " + json_cell(model, rows[r], columns[c], room);
      }
      out += '}';
    }
    return out + "\n]\n";
  }
  const bool csv = format == TableFormat::Csv;
  const std::string_view end = csv ? "\r\n" : "\n";
  const auto cell = [&](std::size_t c, std::string text) {
    if (c > 0) out += csv ? ',' : '\t';
    out += csv ? csv_field(text) : without_breaks(std::move(text));
  };
  std::vector<std::string> heads;
  for (const std::size_t column : columns) heads.push_back(head_with_unit(model_columns[column]));
  heads = distinct_texts(std::move(heads));
  for (std::size_t c = 0; c < columns.size(); ++c) cell(c, no_formula(heads[c]));
  out += end;
  for (const std::uint32_t row : rows) {
    for (std::size_t c = 0; c < columns.size(); ++c) cell(c, plain_cell(model, row, columns[c], room));
    out += end;
  }
  return out;
}

std::string table_as_text(const TableModel& model, std::span<const std::uint32_t> rows, const TableState& state,
                       TableFormat format) {
  std::vector<std::size_t> columns;
  for (const ShownColumn& one : shown_columns(model.columns(), state)) {
    if (!one.hidden) columns.push_back(one.column);
  }
  return table_as_text(model, rows, columns, format);
}

std::string table_as_text(const TableModel& model, const TableState& state, TableFormat format) {
  std::vector<std::uint32_t> rows(model.rows());
  std::iota(rows.begin(), rows.end(), 0u);
  return table_as_text(model, rows, state, format);
}

}  // namespace tv

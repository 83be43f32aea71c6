// A table as text for other programs: rows and columns in the order shown, numbers in full with their unit in the header, texts
// unshortened.
//
//   TSV       for pasting into a spreadsheet; cells contain no tabs or line breaks
//   CSV       RFC 4180, CRLF
//   JSON      an array of objects by column id, numbers as numbers, null for missing ones
//   Markdown  for people, so numbers are as shown, with their unit behind them (markdown_table.h)
//
// In TSV and CSV a text that a spreadsheet would take for a formula (it begins with = + - @, tab or return) is prefixed with ',
// as OWASP's "CSV injection" recommends; numbers stay numbers. Numbers have the fewest digits that read back as the same double.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/view/table/table_model.h"

namespace tv {

enum class TableFormat : std::uint8_t { Tsv, Csv, Json, Markdown };

/// `columns`: indices into the model's columns.
std::string table_as_text(const TableModel& model, std::span<const std::uint32_t> rows, std::span<const std::size_t> columns,
                          TableFormat format);
/// The columns that the state shows.
std::string table_as_text(const TableModel& model, std::span<const std::uint32_t> rows, const TableState& state,
                          TableFormat format);
/// All rows, in the model's order.
std::string table_as_text(const TableModel& model, const TableState& state, TableFormat format);
/// The head of a column: "self (ns)".
std::string head_with_unit(const TableColumn& column);
/// Prefixes ' to text that a spreadsheet would take for a formula.
std::string no_formula(std::string text);

}  // namespace tv

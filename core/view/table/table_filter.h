// The text of a table's filter box: words that a row must have in one of its texts, and comparisons of one column. All of them
// must hold.
//
//   gemm cache            both words are in texts of the row (ASCII letters in either case)
//   "two words"           the phrase
//   !gemm  !"two words"   no text of the row has it
//   total>2ms  count<=10  a column by its title or id; a time needs its unit, a share may have its %
//   name=foo  name!=foo  name~foo   a text equals it, differs, contains it; "self time">1ms for titles with blanks
//
// A row without a number in a column matches no comparison on it. Cost per row: all its texts for a word, else one cell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/filter/expression_text.h"
#include "core/base/result.h"
#include "core/view/table/table_model.h"

namespace tv {

struct TableTerm {
  std::size_t column = kNoColumn;       ///< none: any text of the row
  Relation relation = Relation::Like;   ///< without a column: Like, or NotEqual for a word that no text may have
  std::string text = {};                ///< in lower case
  double number = 0;                    ///< for a numeric column
};

/// The error names the missing column and the one that may be meant, or what was expected.
Result<std::vector<TableTerm>> parse_table_filter(std::string_view text, std::span<const TableColumn> columns);
/// `room` is a buffer for texts, so that none is allocated per row.
bool fulfils(const TableModel& model, std::size_t row, std::span<const TableTerm> terms, std::string& room);

}  // namespace tv

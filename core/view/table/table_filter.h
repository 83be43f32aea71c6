// What is typed into the filter box of a table: words that a row must have in one of its texts, and comparisons of one
// column. All of them must hold.
//
//   gemm cache            both words are in texts of the row (ASCII letters in either case)
//   "two words"           as one
//   total>2ms  count<=10  a column by its title or id; a time needs its unit, a share may have its %
//   name=foo  name!=foo  name~foo   a text is that, is not that, has it in it; "self time">1ms for titles with blanks
//
// What a row has no number for fulfils no comparison. Cost: a row's texts when words are looked for, else a number.
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
  Relation relation = Relation::Like;
  std::string text = {};                ///< in lower case
  double number = 0;                    ///< of a column of numbers
};

/// An error names the column that is not there and the one that may be meant, or what was expected.
Result<std::vector<TableTerm>> parse_table_filter(std::string_view text, std::span<const TableColumn> columns);
/// `room` is for texts, so that none is made per row.
bool fulfils(const TableModel& model, std::size_t row, std::span<const TableTerm> terms, std::string& room);

}  // namespace tv

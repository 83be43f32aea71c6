// In which order the rows of a table stand: by the column whose head was clicked; a second click turns it round. For
// every table of the window: the rows stay where they are, and what is drawn, copied or saved is a list of their
// indices.
//
// Invariant: each row is in the list once; rows that a column does not tell apart keep the order they came in, both
// ways round, and so does what has no number there, behind all that has one. Cost: O(n log n), when the order or the
// rows change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/view/chart.h"

namespace tv {

struct TableOrder {
  std::size_t column = 0;
  bool falling = false;
  bool operator==(const TableOrder&) const = default;
};

/// A head was clicked: numbers begin with the greatest, names with the first; the same one again turns round.
TableOrder after_click(const TableOrder& now, std::size_t column, bool number);

/// A column's keys, by row; NaN: it has none.
void order_rows(std::vector<std::uint32_t>& rows, std::span<const double> keys, bool falling);
/// Names: "rank 2" comes before "rank 10".
void order_rows(std::vector<std::uint32_t>& rows, std::span<const std::string_view> keys, bool falling);
/// All rows of a table. A column with numbers in full is ordered by them, any other by what files hold of it.
std::vector<std::uint32_t> rows_in_order(const ChartTable& table, const TableOrder& order);

}  // namespace tv

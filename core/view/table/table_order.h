// Rows of a table in the order of a key: a list of their indices, the rows stay where they are.
//
// Invariant: rows that a key does not tell apart keep the order they came in, both ways round, and so does what has no
// number there, behind all that has one. Cost: O(n log n).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tv {

/// A column's keys, by row; NaN: it has none.
void order_rows(std::vector<std::uint32_t>& rows, std::span<const double> keys, bool falling);
/// Names: "rank 2" comes before "rank 10".
void order_rows(std::vector<std::uint32_t>& rows, std::span<const std::string_view> keys, bool falling);

}  // namespace tv

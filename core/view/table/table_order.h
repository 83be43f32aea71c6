// Sorts rows of a table by a key. Only a list of indices is sorted; the rows themselves do not move.
//
// Invariant: rows with equal keys keep their order in both directions. So do rows without a number, which come after all others.
// Cost: O(n log n).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tv {

/// The key of each row; NaN: none.
void order_rows(std::vector<std::uint32_t>& rows, std::span<const double> keys, bool falling);
/// Sorts by names in natural order: "rank 2" comes before "rank 10".
void order_rows(std::vector<std::uint32_t>& rows, std::span<const std::string_view> keys, bool falling);

}  // namespace tv

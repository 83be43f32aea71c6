// The values of a row that a terminal cut: "lm loss: 1.2E+01 | grad no" and "rm: 0.5 |". Cost: O(row).
#pragma once

#include <cstddef>
#include <string_view>

#include "core/read/wrapped_line.h"

namespace tv {

// More bytes are not joined. So a chunk holds back little, and no result depends on where a chunk ends.
inline constexpr std::size_t kLongestRow = 4 << 10;

/// What a row ends with.
enum class RowEnd {
  Bar,     ///< "lm loss: 1.2E+01 |"
  Number,  ///< "optimizer: 82.95"
};

/// Joins the pieces of the row at the beginning of the text, up to the last piece at which it can end. No pieces: it has no end.
/// `head`: the number of bytes before its values. `begins_row`: whether a text begins with another row.
WrappedLine joined_values(std::string_view text, std::size_t head, RowEnd end, bool (*begins_row)(std::string_view text));

}  // namespace tv

// Distributes lines of different heights over columns that are as short as possible, as in a newspaper; used by the key help. Order
// is kept, from the top of the first column to the bottom of the last. Cost: O(lines * log(height)).
#pragma once

#include <cstddef>
#include <vector>

namespace tv {

struct FlowedLine {
  float height = 0;
  bool heads_next = false;  ///< a heading: never the last line of a column
};

struct FlowedColumns {
  std::vector<std::size_t> first;  ///< first line of each column; at most the requested number of columns
  float height = 0;                ///< of the tallest column
};

FlowedColumns balanced_columns(const std::vector<FlowedLine>& lines, std::size_t columns);

}  // namespace tv

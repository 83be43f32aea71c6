// Lines of different heights in columns that are as low as they can be: newspapers, the help of keys. Order is kept,
// from the top of the first column to the bottom of the last. Cost: O(lines * log(height)).
#pragma once

#include <cstddef>
#include <vector>

namespace tv {

struct FlowedLine {
  float height = 0;
  bool heads_next = false;  ///< a heading: never the last of a column
};

struct FlowedColumns {
  std::vector<std::size_t> first;  ///< per column its first line; as many as are needed, at most those asked for
  float height = 0;                ///< of the highest column
};

FlowedColumns balanced_columns(const std::vector<FlowedLine>& lines, std::size_t columns);

}  // namespace tv

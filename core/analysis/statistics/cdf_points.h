// Chooses which of many points of a cumulative distribution are drawn. They are spaced evenly by share, except that up to half
// are in the greatest twentieth, where the points are far apart. The first and the last are always included. Cost: O(most).
#pragma once

#include <cstddef>
#include <vector>

namespace tv {

/// Rising indices into `n` sorted values: at most `most` of them, or 4 if `most` is less.
std::vector<std::size_t> cdf_points(std::size_t n, std::size_t most);

}  // namespace tv

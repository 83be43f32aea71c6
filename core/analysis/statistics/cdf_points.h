// Which points of a cumulative distribution are drawn, of many: even in the share, up to half of them spent on the
// greatest twentieth, where the points are far apart. The first and the last are always among them. Cost: O(most).
#pragma once

#include <cstddef>
#include <vector>

namespace tv {

/// Rising indices of at most `most` of `n` values that are in order.
std::vector<std::size_t> cdf_points(std::size_t n, std::size_t most);

}  // namespace tv

// Chooses which of many points of a cumulative distribution are drawn. They are even in the share, except that up to half go to the
// greatest twentieth, where the points are far apart. The first and the last are always included. Cost: O(most).
#pragma once

#include <cstddef>
#include <vector>

namespace tv {

/// Rising indices of at most `most` out of `n` sorted values.
std::vector<std::size_t> cdf_points(std::size_t n, std::size_t most);

}  // namespace tv

// Chooses which of many points of a cumulative distribution are drawn. They are evenly spaced by share, except that up to half of
// them are in the greatest twentieth, where points are far apart. The first and the last are always included. Cost: O(most).
#pragma once

#include <cstddef>
#include <vector>

namespace tv {

/// Rising indices into `n` sorted values; at most `most`, but `most` counts as at least 4.
std::vector<std::size_t> cdf_points(std::size_t n, std::size_t most);

}  // namespace tv

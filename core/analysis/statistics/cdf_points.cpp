#include "core/analysis/statistics/cdf_points.h"

#include <algorithm>

namespace tv {

std::vector<std::size_t> cdf_points(std::size_t n, std::size_t most) {
  most = std::max<std::size_t>(most, 4);
  std::vector<std::size_t> out;
  if (n <= most) {
    for (std::size_t i = 0; i < n; ++i) out.push_back(i);
    return out;
  }
  const std::size_t tail = std::max<std::size_t>(n / 20, 1), body = n - tail;
  const std::size_t of_tail = std::min(most / 2, tail), of_body = most - of_tail;
  for (std::size_t k = 0; k < of_body; ++k) out.push_back(k * body / of_body);
  for (std::size_t k = 1; k <= of_tail; ++k) out.push_back(body + k * tail / of_tail - 1);
  return out;
}

}  // namespace tv

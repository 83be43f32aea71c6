#include "core/analysis/statistics/histogram.h"

#include <algorithm>
#include <cmath>

namespace tv {

Histogram histogram(std::span<const double> sorted, std::size_t bins, bool equal_ratio) {
  Histogram out;
  if (equal_ratio) {
    const auto positive = std::ranges::upper_bound(sorted, 0.0);
    out.not_positive = static_cast<std::size_t>(positive - sorted.begin());
    sorted = sorted.subspan(out.not_positive);
  }
  if (sorted.empty() || bins == 0) return out;
  double low = sorted.front(), high = sorted.back();
  if (low == high) {
    low = equal_ratio ? low * 0.9 : low - 0.5;
    high = equal_ratio ? high * 1.1 : high + 0.5;
  }
  for (std::size_t b = 0; b <= bins; ++b) {
    const double part = static_cast<double>(b) / static_cast<double>(bins);
    out.edges.push_back(equal_ratio ? low * std::pow(high / low, part) : low + (high - low) * part);
  }
  out.edges.back() = high;  // rounding must not put it below the greatest value
  out.count = counts_in(out.edges, sorted);
  return out;
}

std::vector<std::size_t> counts_in(const std::vector<double>& edges, std::span<const double> sorted) {
  std::vector<std::size_t> count;
  if (edges.size() < 2) return count;
  const auto last = std::ranges::upper_bound(sorted, edges.back());
  auto begin = std::ranges::lower_bound(sorted, edges.front());
  for (std::size_t b = 0; b + 1 < edges.size(); ++b) {
    const auto end = b + 2 == edges.size() ? last : std::ranges::lower_bound(begin, last, edges[b + 1]);
    count.push_back(static_cast<std::size_t>(end - begin));
    begin = end;
  }
  return count;
}

}  // namespace tv

#include "core/analysis/histogram.h"

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
  out.edges.back() = high;  // not a rounding below the greatest value
  auto begin = sorted.begin();
  for (std::size_t b = 0; b < bins; ++b) {
    const auto end = b + 1 == bins ? sorted.end() : std::ranges::lower_bound(begin, sorted.end(), out.edges[b + 1]);
    out.count.push_back(static_cast<std::size_t>(end - begin));
    begin = end;
  }
  return out;
}

}  // namespace tv

#include "core/analysis/statistics/correlation.h"

#include <algorithm>
#include <cmath>

namespace tv {
namespace {

// Sums of products of deviations from the means. The second pass avoids cancellation if the deviations are small.
struct Moments {
  double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
};

Moments moments(std::span<const double> x, std::span<const double> y) {
  Moments m;
  for (std::size_t i = 0; i < x.size(); ++i) {
    m.mean_x += x[i];
    m.mean_y += y[i];
  }
  m.mean_x /= static_cast<double>(x.size());
  m.mean_y /= static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - m.mean_x, dy = y[i] - m.mean_y;
    m.xx += dx * dx;
    m.yy += dy * dy;
    m.xy += dx * dy;
  }
  return m;
}

double coefficient(const Moments& m) {
  if (!(m.xx > 0 && m.yy > 0)) return kNotMeasured;
  return std::clamp(m.xy / (std::sqrt(m.xx) * std::sqrt(m.yy)), -1.0, 1.0);
}

}  // namespace

std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < values.size(); ++i) order.push_back(i);
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> out(values.size());
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    for (std::size_t i = first; i < last; ++i) out[order[i]] = static_cast<double>(first + last + 1) / 2;
  }
  return out;
}

Correlation correlate(std::span<const double> x, std::span<const double> y) {
  std::vector<double> xs, ys;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) || std::isnan(y[i])) continue;
    xs.push_back(x[i]);
    ys.push_back(y[i]);
  }
  Correlation out;
  out.n = xs.size();
  if (out.n < 2) return out;
  const Moments m = moments(xs, ys);
  out.pearson = coefficient(m);
  out.spearman = coefficient(moments(ranks(xs), ranks(ys)));
  if (m.xx > 0) {
    out.slope = m.xy / m.xx;
    out.intercept = m.mean_y - out.slope * m.mean_x;
  }
  return out;
}

}  // namespace tv

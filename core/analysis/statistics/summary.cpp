#include "core/analysis/statistics/summary.h"

#include <algorithm>
#include <cmath>

namespace tv {
namespace {

// Starts from the nearer end, as numpy does, so that t = 0 and t = 1 give exactly `low` and `high`.
double interpolate(double low, double high, double t) {
  return t < 0.5 ? low + (high - low) * t : high - (high - low) * (1 - t);
}

}  // namespace

std::vector<double> sorted_measured(std::span<const double> values) {
  std::vector<double> sorted;
  sorted.reserve(values.size());
  std::ranges::copy_if(values, std::back_inserter(sorted), [](double v) { return !std::isnan(v); });
  std::ranges::sort(sorted);
  return sorted;
}

double quantile(std::span<const double> sorted, double p) {
  if (sorted.empty()) return kNotMeasured;
  const double position = static_cast<double>(sorted.size() - 1) * p;
  const auto low = std::min(static_cast<std::size_t>(position), sorted.size() - 1);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  if (sorted[low] == sorted[high]) return sorted[low];  // also if both are infinite: their difference would be NaN
  return interpolate(sorted[low], sorted[high], position - std::floor(position));
}

Summary summarize_sorted(std::span<const double> sorted, std::span<const double> quantiles) {
  Summary out;
  out.n = sorted.size();
  for (const double p : quantiles) out.quantiles.push_back(quantile(sorted, p));
  if (sorted.empty()) return out;
  const auto n = static_cast<double>(sorted.size());
  for (const double v : sorted) out.sum += v;
  out.mean = out.sum / n;
  // A second pass, because the mean of the squares minus the square of the mean is inexact if the values differ little.
  double squares = 0;
  for (const double v : sorted) squares += (v - out.mean) * (v - out.mean);
  out.std = std::sqrt(squares / n);
  out.median = quantile(sorted, 0.5);
  out.min = sorted.front();
  out.max = sorted.back();
  return out;
}

Summary summarize(std::span<const double> values, std::span<const double> quantiles) {
  return summarize_sorted(sorted_measured(values), quantiles);
}

double median_absolute_deviation(std::span<const double> sorted) {
  const double median = quantile(sorted, 0.5);
  std::vector<double> distances;
  distances.reserve(sorted.size());
  for (const double v : sorted) distances.push_back(std::abs(v - median));
  std::ranges::sort(distances);
  return quantile(distances, 0.5);
}

}  // namespace tv

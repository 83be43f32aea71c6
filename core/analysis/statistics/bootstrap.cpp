#include "core/analysis/statistics/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/analysis/statistics/split_mix.h"
#include "core/analysis/statistics/summary.h"

namespace tv {
namespace {

// The quantile of n values drawn from the sorted sample.
double drawn_quantile(std::span<const double> sorted, double p, SplitMix64& random) {
  const auto n = static_cast<double>(sorted.size());
  const double h = (n - 1) * p, rank = std::floor(h);
  const auto at = [&](double u) { return sorted[std::min(static_cast<std::size_t>(u * n), sorted.size() - 1)]; };
  const double u = random.beta(rank + 1, n - rank);  // the (rank + 1)-th smallest of n
  const double above = n - rank - 1;                 // number of larger draws, which are uniform over (u, 1)
  if (above < 1) return at(u);
  const double next = u + (1 - u) * (1 - std::pow(1 - random.uniform(), 1 / above));
  return at(u) + (at(next) - at(u)) * (h - rank);
}

class Means {
 public:
  explicit Means(std::span<const double> values) : values_(values) {
    const Summary summary = values.size() > kDrawnMeans ? summarize(values) : Summary();
    mean_ = summary.mean;
    error_ = summary.std / std::sqrt(static_cast<double>(values.size()));
  }
  double draw(SplitMix64& random) const {
    if (values_.size() > kDrawnMeans) return mean_ + error_ * random.normal();
    double sum = 0;
    for (std::size_t i = 0; i < values_.size(); ++i) sum += values_[random.below(values_.size())];
    return sum / static_cast<double>(values_.size());
  }

 private:
  std::span<const double> values_;
  double mean_, error_;
};

template <class Draw>
DrawnDeltas drawn(const BootstrapOptions& options, Draw draw) {
  SplitMix64 random(options.seed);
  DrawnDeltas deltas;
  for (std::size_t i = 0; i < options.resamples; ++i) deltas.push_back(draw(random));
  std::ranges::sort(deltas);
  return deltas;
}

}  // namespace

DrawnDeltas quantile_deltas(std::span<const double> a, std::span<const double> b, double p,
                            const BootstrapOptions& options) {
  return drawn(options, [&](SplitMix64& random) {
    const double quantile_a = drawn_quantile(a, p, random);
    return drawn_quantile(b, p, random) - quantile_a;
  });
}

DrawnDeltas mean_deltas(std::span<const double> a, std::span<const double> b, const BootstrapOptions& options) {
  const Means of_a(a), of_b(b);
  return drawn(options, [&](SplitMix64& random) {
    const double mean_a = of_a.draw(random);
    return of_b.draw(random) - mean_a;
  });
}

Interval middle_of(const DrawnDeltas& deltas, double level) {
  const double outside = (1 - level) / 2;
  return {quantile(deltas, outside), quantile(deltas, 1 - outside)};
}

}  // namespace tv

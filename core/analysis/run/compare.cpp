#include "core/analysis/run/compare.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/statistics/summary.h"

namespace tv {
namespace {

constexpr std::array<std::string_view, kDeltas> kDeltaNames = {"mean", "median", "P90", "P95", "P99"};
constexpr std::array<double, kDeltas> kQuantiles = {0, 0.5, 0.9, 0.95, 0.99};  // the first is the mean, which is no quantile

// Tail of the Kolmogorov distribution.
double ks_tail(double lambda) {
  if (lambda < 0.2) return 1;  // the series converges too slowly there; the tail equals 1 to 12 digits
  double sum = 0;
  for (int k = 1; k <= 100; ++k) {
    const double term = std::exp(-2.0 * k * k * lambda * lambda);
    sum += k % 2 == 1 ? term : -term;
    if (term < 1e-16) break;
  }
  return std::clamp(2 * sum, 0.0, 1.0);
}

struct Length {
  int stratum;
  std::int32_t tokens;
  RequestIx request;
  auto operator<=>(const Length&) const = default;
};

std::vector<Length> lengths(const Rollout& rollout, const RequestSet& requests) {
  std::vector<Length> out;
  for (const RequestIx r : requests) {
    const std::int32_t tokens = rollout.tokens[r];
    if (tokens < 0) continue;
    out.push_back({static_cast<int>(std::log1p(tokens) / std::log(kStratumWidth)), tokens, r});
  }
  std::ranges::sort(out);
  return out;
}

void take_evenly(std::span<const Length> from, std::size_t count, RequestSet& to) {
  for (std::size_t i = 0; i < count; ++i) to.push_back(from[(2 * i + 1) * from.size() / (2 * count)].request);
}

}  // namespace

std::string_view name(DeltaOf of) { return kDeltaNames[static_cast<std::size_t>(of)]; }

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::TooFew: return "too few to tell";
    case Verdict::NotDistinguishable: return "not distinguishable";
    case Verdict::Different: return "different";
  }
  return {};
}

KsTest kolmogorov_smirnov(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) return {};
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  double distance = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double x = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= x) ++i;
    while (j < b.size() && b[j] <= x) ++j;
    distance = std::max(distance, std::abs(static_cast<double>(i) / n - static_cast<double>(j) / m));
  }
  const double root = std::sqrt(n * m / (n + m));
  return {distance, ks_tail((root + 0.12 + 0.11 / root) * distance)};
}

Comparison compare(std::span<const double> a, std::span<const double> b, const BootstrapOptions& options) {
  Comparison out;
  out.a = sorted_measured(a);
  out.b = sorted_measured(b);
  if (out.a.empty() || out.b.empty()) {
    for (Delta& delta : out.deltas) delta = {kNotMeasured, kNotMeasured, {kNotMeasured, kNotMeasured}};
    return out;
  }
  bool excludes_zero = false;
  for (std::size_t d = 0; d < kDeltas; ++d) {
    const auto statistic = static_cast<DeltaOf>(d);
    const bool mean = statistic == DeltaOf::Mean;
    const double p = kQuantiles[d];
    const DrawnDeltas deltas = mean ? mean_deltas(out.a, out.b, options) : quantile_deltas(out.a, out.b, p, options);
    out.deltas[d] = {mean ? summarize_sorted(out.a).mean : quantile(out.a, p),
                     mean ? summarize_sorted(out.b).mean : quantile(out.b, p), middle_of(deltas, kIntervalLevel)};
    const bool decides = mean || statistic == DeltaOf::Median;
    excludes_zero = excludes_zero || (decides && !middle_of(deltas, kVerdictLevel).contains(0));
  }
  const KsTest ks = kolmogorov_smirnov(out.a, out.b);
  out.ks_distance = ks.distance;
  out.ks_p = ks.p;
  if (std::min(out.a.size(), out.b.size()) < kLeastToTell) return out;
  out.verdict = ks.p < kKsLevel && excludes_zero ? Verdict::Different : Verdict::NotDistinguishable;
  return out;
}

MatchedSets match_lengths(const Rollout& rollout, const RequestSet& a, const RequestSet& b) {
  const std::vector<Length> of_a = lengths(rollout, a), of_b = lengths(rollout, b);
  MatchedSets out;
  out.without_tokens = a.size() - of_a.size() + b.size() - of_b.size();
  for (std::size_t i = 0, j = 0; i < of_a.size() && j < of_b.size();) {
    const int stratum = std::min(of_a[i].stratum, of_b[j].stratum);
    const std::size_t first_i = i, first_j = j;
    while (i < of_a.size() && of_a[i].stratum == stratum) ++i;
    while (j < of_b.size() && of_b[j].stratum == stratum) ++j;
    const std::size_t count = std::min(i - first_i, j - first_j);
    if (count == 0) continue;
    take_evenly(std::span(of_a).subspan(first_i, i - first_i), count, out.a);
    take_evenly(std::span(of_b).subspan(first_j, j - first_j), count, out.b);
    ++out.strata;
  }
  std::ranges::sort(out.a);
  std::ranges::sort(out.b);
  return out;
}

}  // namespace tv

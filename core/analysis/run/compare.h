// Compares two samples: differences of mean and quantiles with confidence intervals, the distance of the distributions, and a
// verdict that does not mistake chance for a change.
//
// Verdict: "different" only if the Kolmogorov-Smirnov test rejects at 0.05 and the 99 % interval of the mean's or of the median's
// difference excludes 0. Two samples from one distribution are then called different in 1.6 to 2.7 % of cases (2,000 pairs each
// of 30, 200 and 1,000 normal and lognormal values). With the 95 % intervals of `deltas`, it would be 2.6 to 4 %. With fewer than
// kLeastToTell values on a side, there is no verdict.
// Length-matched: each stratum of token lengths (within a factor of kStratumWidth) contributes as many requests of A as of B, so
// the remaining difference does not come from the length. Requests without token counts are then left out.
// Cost: O(n log n) + bootstrap.h. Source: scipy.stats.ks_2samp (asymptotic, Stephens' correction).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/analysis/rollout/rollout.h"
#include "core/analysis/statistics/bootstrap.h"

namespace tv {

enum class DeltaOf : std::uint8_t { Mean, Median, P90, P95, P99, kCount };
inline constexpr std::size_t kDeltas = static_cast<std::size_t>(DeltaOf::kCount);
std::string_view name(DeltaOf of);

struct Delta {
  double a = 0, b = 0;
  Interval interval;  ///< 95 % interval of b - a
  double delta() const { return b - a; }
};

enum class Verdict : std::uint8_t { TooFew, NotDistinguishable, Different };
std::string_view name(Verdict verdict);

inline constexpr std::size_t kLeastToTell = 8;
inline constexpr double kIntervalLevel = 0.95, kVerdictLevel = 0.99, kKsLevel = 0.05, kStratumWidth = 1.1;

struct Comparison {
  std::vector<double> a, b;  ///< the samples, sorted, without NaN
  std::array<Delta, kDeltas> deltas;
  double ks_distance = 0, ks_p = 1;
  Verdict verdict = Verdict::TooFew;

  const Delta& of(DeltaOf d) const { return deltas[static_cast<std::size_t>(d)]; }
};

Comparison compare(std::span<const double> a, std::span<const double> b, const BootstrapOptions& options = {});

struct KsTest {
  double distance = 0, p = 1;
};
/// Both samples must be sorted.
KsTest kolmogorov_smirnov(std::span<const double> a, std::span<const double> b);

struct MatchedSets {
  RequestSet a, b;  ///< of equal size, also in each stratum
  std::size_t strata = 0;
  std::size_t without_tokens = 0;
};
/// If one side has more requests in a stratum, the chosen ones are spread evenly over its lengths.
MatchedSets match_lengths(const Rollout& rollout, const RequestSet& a, const RequestSet& b);

}  // namespace tv

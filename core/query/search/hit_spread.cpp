#include "core/query/search/hit_spread.h"

#include <algorithm>

namespace tv {

void HitSpread::add(const HitSpread& other) {
  hits += other.hits;
  for (std::size_t b = 0; b < kHitBuckets; ++b) any[b] |= other.any[b];
}

HitSpreader::HitSpreader(const Trace& trace)
    : begin_(trace.shown().begin),
      buckets_per_ns_(static_cast<double>(kHitBuckets) / static_cast<double>(std::max<Ns>(trace.shown().length(), 1))) {}

void HitSpreader::add(Ns begin) {
  const double at = static_cast<double>(begin - begin_) * buckets_per_ns_;
  spread_.any[static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(kHitBuckets - 1)))] = true;
  ++spread_.hits;
}

HitSpread hit_spread(const Trace& trace, std::span<const SliceId> hits) {
  HitSpreader spreader(trace);
  for (const SliceId hit : hits) spreader.add(trace.begin_of(hit));
  return spreader.spread();
}

}  // namespace tv

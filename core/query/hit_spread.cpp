#include "core/query/hit_spread.h"

#include <algorithm>
#include <mutex>

namespace tv {
namespace {

class Spreading {
 public:
  explicit Spreading(const Trace& trace)
      : begin_(trace.shown().begin),
        buckets_per_ns_(static_cast<double>(kHitBuckets) / static_cast<double>(std::max<Ns>(trace.shown().length(), 1))) {}

  void add(Ns t, HitSpread& to) const {
    const double at = static_cast<double>(t - begin_) * buckets_per_ns_;
    to.any[static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(kHitBuckets - 1)))] = true;
    ++to.hits;
  }

 private:
  const Ns begin_;
  const double buckets_per_ns_;
};

}  // namespace

HitSpread hit_spread(const Trace& trace, const LabelSet& labels, ThreadPool& pool, std::stop_token stop) {
  HitSpread sum;
  if (labels.empty()) return sum;
  constexpr std::size_t kBlock = 1 << 18;
  const Spreading spreading(trace);
  const std::size_t n = trace.slices.size();
  std::mutex mutex;
  pool.parallel_for(
      (n + kBlock - 1) / kBlock,
      [&](std::size_t block) {
        HitSpread part;
        for (std::size_t i = block * kBlock; i < std::min(n, (block + 1) * kBlock); ++i) {
          if (labels.contains(trace.slices.label[i])) spreading.add(trace.slices.begin[i], part);
        }
        const std::lock_guard lock(mutex);
        sum.hits += part.hits;
        for (std::size_t b = 0; b < kHitBuckets; ++b) sum.any[b] |= part.any[b];
      },
      stop);
  return sum;
}

HitSpread hit_spread(const Trace& trace, std::span<const SliceId> hits) {
  HitSpread sum;
  const Spreading spreading(trace);
  for (const SliceId hit : hits) spreading.add(trace.slices.begin[idx(hit)], sum);
  return sum;
}

}  // namespace tv

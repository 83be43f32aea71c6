// Counts the hits of a search and notes where in the trace they begin, for the marks on the minimap.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/store/trace/trace.h"

namespace tv {

inline constexpr std::size_t kHitBuckets = 2048;  ///< equal parts of Trace::shown(); hits outside count in the first or the last

struct HitSpread {
  std::uint64_t hits = 0;
  std::array<bool, kHitBuckets> any{};  ///< whether a hit begins there

  void add(const HitSpread& other);
};

/// Collects a HitSpread, hit by hit.
class HitSpreader {
 public:
  explicit HitSpreader(const Trace& trace);
  void add(Ns begin);
  const HitSpread& spread() const { return spread_; }

 private:
  Ns begin_;
  double buckets_per_ns_;
  HitSpread spread_;
};

HitSpread hit_spread(const Trace& trace, std::span<const SliceId> hits);

}  // namespace tv

// How many hits a search has, and where in the trace they begin: what the minimap marks.
// Cost: the label column once, 4 bytes per slice, on all threads; of each hit its begin.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>

#include "core/base/thread_pool.h"
#include "core/query/search.h"
#include "core/store/trace.h"

namespace tv {

inline constexpr std::size_t kHitBuckets = 2048;  ///< equal parts of Trace::shown(); what lies outside is in the first or the last

struct HitSpread {
  std::uint64_t hits = 0;
  std::array<bool, kHitBuckets> any{};  ///< does one begin there?
};

/// Of the slices and instants that have one of the labels.
HitSpread hit_spread(const Trace& trace, const LabelSet& labels, ThreadPool& pool, std::stop_token stop = {});
HitSpread hit_spread(const Trace& trace, std::span<const SliceId> hits);

}  // namespace tv

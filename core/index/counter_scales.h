// Gives all counters of one kind one scale, so that a worker with 3 requests does not look as busy as one with 300. Lanes are of
// one kind if their names are equal apart from numbers that identify instances: "GPU 0 power" and "GPU 1 power", but not
// "L1 misses" and "L2 misses". A scale runs from the lowest value of its lanes, or 0 if that is lower, to the highest value.
// Cost: O(counters).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/index/value_pyramid.h"
#include "core/store/trace/trace.h"

namespace tv {

struct CounterScale {
  ValueRange range;         ///< the values at the bottom and top of a lane; min <= 0
  std::uint32_t lanes = 1;  ///< number of lanes that share this scale
};

/// By counter.
std::vector<CounterScale> counter_scales(const Trace& trace);

/// "GPU 3 power" -> "gpu # power"
std::string counter_kind(std::string_view lane_name);

/// "requests in flight: 3 (0 .. 40 for 8 lanes, 0 .. 5 here)"
std::string counter_text(const Trace& trace, std::size_t counter, const CounterScale& scale, double value);

}  // namespace tv

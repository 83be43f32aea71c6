// One scale for counters of one kind, so that a worker with 3 requests does not look as busy as one with 300. Of one kind are
// lanes with the same name, where numbers that tell instances apart do not count: "GPU 0 power" and "GPU 1 power", but not
// "L1 misses" and "L2 misses". From min(0, lowest) to highest of all of them. O(counters).
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
  std::uint32_t lanes = 1;  ///< that share it
};

/// By counter.
std::vector<CounterScale> counter_scales(const Trace& trace);

/// "GPU 3 power" -> "gpu # power"
std::string counter_kind(std::string_view lane_name);

/// "requests in flight: 3 (0 .. 40 for 8 lanes, 0 .. 5 here)"
std::string counter_text(const Trace& trace, std::size_t counter, const CounterScale& scale, double value);

}  // namespace tv

// Fits segments' clocks to each other by their collectives (unit_clocks.h). All sources are compared by their recorded times,
// without the corrections made when their segments were built, so the result is the same as if all had been read at once. The
// sources of a segment all move by the same amount: the median of what each would need.
// Cost: O(sources and pairs of them). For a segment that was not compared before, O(labels) if it has no collectives, otherwise
// one look at each slice on its GPU streams; for each new pair, some 100 us (unit_pairs.h).
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/collectives/unit_pairs.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The results of a view, for the next one that has some of the same segments.
struct ComparedClocks {
  struct Place {
    std::shared_ptr<const Trace> segment;
    Ns manual_offset = 0;
    std::uint32_t source = 0;  ///< the unit's first source in this segment
    auto operator<=>(const Place&) const = default;
  };
  using Unit = std::vector<Place>;  ///< one for each segment that has sources of the unit
  std::map<Unit, std::shared_ptr<const UnitCollectives>> collectives;
  ComparedPairs pairs;
};

/// The collectives on a segment's GPU streams, by source and lane.
std::vector<LaneCollectives> lane_collectives(const Trace& segment);

/// For a view with parts and sources. Returns per part how much to add to its times. Sets SourceInfo::clock_fit. `pool`: sorts the
/// collectives of several units in parallel; may be null.
std::vector<Ns> fit_segments(Trace& view, ComparedClocks& compared, ThreadPool* pool);

}  // namespace tv

// Fits the clocks of segments to each other by their collectives (unit_clocks.h). Sources are compared by their recorded times,
// without the corrections that were made when their segments were built, so the result is the same as if all files had been read
// at once. All sources of a segment move by the same amount: the median of what each would need.
// Cost: O(sources + pairs of units). For a segment that was not compared before, O(labels) if it has no collectives, otherwise
// O(slices on GPU streams); for each new pair of streams, some 100 us (unit_pairs.h).
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

/// The results of a view, for the next view that has some of the same segments.
struct ComparedClocks {
  struct Place {
    std::shared_ptr<const Trace> segment;
    Ns manual_offset = 0;
    std::uint32_t source = 0;  ///< the first source of the unit in this segment
    auto operator<=>(const Place&) const = default;
  };
  using Unit = std::vector<Place>;  ///< identifies a unit: one place for each segment with sources of the unit
  std::map<Unit, std::shared_ptr<const UnitCollectives>> collectives;
  ComparedPairs pairs;
};

/// The collectives on a segment's GPU streams, by source and lane.
std::vector<LaneCollectives> lane_collectives(const Trace& segment);

/// `view`: needs only its parts and sources. Returns, by part, how much to add to its times. Sets SourceInfo::clock_fit. `pool`:
/// for sorting the collectives of several units in parallel; may be null.
std::vector<Ns> fit_segments(Trace& view, ComparedClocks& compared, ThreadPool* pool);

}  // namespace tv

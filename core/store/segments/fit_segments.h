// Puts segments' clocks right beside each other, where collectives tell how (unit_clocks.h). All sources are compared by their
// recorded times, whatever was added to them when their segment was made, so that it says what it would if all had been read at
// once. Within a segment nothing moves: where sources of one differ in what they should be moved by, the median moves it.
// Cost: O(sources and pairs of them). Of a segment that was not compared before, O(labels) where there are no such kernels, else one
// look at each slice on its GPU streams; of each pair that was not, some 100 us (unit_pairs.h).
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/store/collectives/unit_pairs.h"
#include "core/store/trace/trace.h"

namespace tv {

/// What was found in a view, for the next one that has some of the same segments.
struct ComparedClocks {
  /// A unit all of whose sources are in one segment.
  struct Unit {
    std::shared_ptr<const Trace> segment;
    Ns by_hand = 0;
    std::uint32_t source = 0;  ///< its first one
    auto operator<=>(const Unit&) const = default;
  };
  std::map<Unit, std::shared_ptr<const UnitCollectives>> collectives;
  ComparedPairs pairs;
};

/// The collectives on a segment's GPU streams, by source and lane.
std::vector<LaneCollectives> lane_collectives(const Trace& segment);

/// Of a view that has its parts and sources. By part: what is to be added to its times. Sets SourceInfo::clock_fit.
std::vector<Ns> fit_segments(Trace& view, ComparedClocks& compared);

}  // namespace tv

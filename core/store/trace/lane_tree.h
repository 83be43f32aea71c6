// Builds the tree of lanes, in display order, from the readers' LaneSpecs. Equal paths become one lane. Siblings are sorted by
// sort key, then in natural order of their names. Only groups with lanes exist. Outermost groups with equal sort keys, and
// processes without a rank, have the order of their files, so that two compared traces stay in the order in which they were
// given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/draft/lane_spec.h"
#include "core/store/trace/trace.h"

namespace tv {

struct LaneTree {
  std::vector<Lane> lanes;      ///< preorder; rows, counters, sums and extents are not set yet
  std::vector<LaneId> of_spec;  ///< the lane of each spec
};

/// Processes without a rank have sort keys from the first number on, below the second.
inline constexpr std::int64_t kRanklessSort = 1 << 20, kAfterRankless = std::int64_t{1} << 40;

/// Lanes are at most this deep, as the tree is walked recursively, and each lane has its whole path. Readers make at most half as
/// many levels (exported_lane.cpp).
inline constexpr std::size_t kMostLaneLevels = 64;

/// `source`: for each spec, the position of its file among all, or any number with the same order. Empty: all from one file.
LaneTree build_lane_tree(const std::vector<const LaneSpec*>& specs, std::span<const std::uint32_t> source = {});

/// A text that identifies a lane: the identities on its path.
std::string lane_identity(const LaneSpec& spec);
/// Appends a level of the path to such a text. `level`: LaneSegment::identity().
inline void add_level(std::string& lane_identity, std::string_view level) { lane_identity.append(level).push_back('\0'); }

/// visit(lane, its identity) for all lanes and groups of a trace.
template <class Visit>
void for_each_lane(const Trace& trace, Visit visit) {
  std::string identity;
  std::vector<std::size_t> begins{0};  // where each level begins in `identity`
  for (const Lane& lane : trace.lanes) {
    begins.resize(lane.depth + 1u);
    identity.resize(begins.back());
    add_level(identity, lane.key.empty() ? lane.name : lane.key);
    begins.push_back(identity.size());
    visit(lane, identity);
  }
}

}  // namespace tv

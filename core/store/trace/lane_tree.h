// Builds the display tree of lanes from the readers' LaneSpecs: equal paths become one lane, siblings are sorted by their sort
// key, then naturally by name; groups exist only around lanes. Outermost groups with equal sort keys, and processes without a
// rank, keep the order of their files, so that two compared traces stay in the given order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/draft/lane_spec.h"
#include "core/store/trace/trace.h"

namespace tv {

struct LaneTree {
  std::vector<Lane> lanes;      ///< preorder; names, kinds, parents, depths and subtree ends are set
  std::vector<LaneId> of_spec;  ///< the lane of each spec
};

/// Sort keys of processes without a rank start here.
inline constexpr std::int64_t kRanklessSort = 1 << 20, kBehindRankless = std::int64_t{1} << 40;

/// `source`: for each spec, the position of its file among all, or any numbers with the same order.
LaneTree build_lane_tree(const std::vector<const LaneSpec*>& specs, std::span<const std::uint32_t> source = {});

/// A text that uniquely identifies a lane.
std::string lane_identity(const LaneSpec& spec);
/// Appends one level to such a text. `level`: its LaneSegment::identity().
inline void add_level(std::string& lane_identity, std::string_view level) { lane_identity.append(level).push_back('\0'); }

/// visit(lane, its identity) for all lanes and groups of a trace.
template <class Visit>
void for_each_lane(const Trace& trace, Visit visit) {
  std::string identity;                // of the lane, after those of the groups around it
  std::vector<std::size_t> begins{0};  // of its levels
  for (const Lane& lane : trace.lanes) {
    begins.resize(lane.depth + 1u);
    identity.resize(begins.back());
    add_level(identity, lane.key.empty() ? lane.name : lane.key);
    begins.push_back(identity.size());
    visit(lane, identity);
  }
}

}  // namespace tv

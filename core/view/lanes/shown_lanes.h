// Which lanes are shown, and in which order: the user's choices (LaneState) applied to a trace. Pinned lanes come first; then the
// overview if there is one, else the tree of groups. It has the lanes that match the filter and are not hidden; if lanes are
// isolated, only these. Lanes in collapsed groups are not listed. Cost: O(lanes) plus that of the filter; when something
// changes, not per frame.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/view/lanes/lane_layout.h"

namespace tv {

struct ShownLane {
  LaneId lane{};
  bool collapsed = false, pinned = false, in_overview = false;
  float row = 0;             ///< as in OverviewLane
  std::uint32_t levels = 0, first_slot = 0, thin = 0;  ///< as in OverviewLane
  bool whole_name = false;   ///< the groups around it are not shown
  std::uint32_t indent = 0;  ///< how many groups around it are shown
};

struct ShownLanes {
  std::vector<ShownLane> lanes;  ///< top to bottom
  std::vector<bool> has_box;     ///< by lane: shown in its own box, or in that of a collapsed group
};

ShownLanes shown_lanes(const Trace& trace, const LaneState& state);

/// Whether the overview replaces the tree, i.e. there is no filter and no isolated lane.
bool overview_is_shown(const LaneState& state);
/// Per lane, whether it is collapsed: by the user's choice, the overview or default_collapsed. `keys`: from lane_keys().
std::vector<bool> collapsed_lanes(const Trace& trace, const LaneState& state, const std::vector<std::string>& keys);

/// Counts of lanes with content, as users count them.
struct LaneCounts {
  std::size_t lanes = 0;
  std::size_t hidden = 0;    ///< hidden by the user, or because others are isolated
  std::size_t left_out = 0;  ///< left out by the overview
};
LaneCounts count_lanes(const Trace& trace, const LaneState& state);
/// "12 hidden", "64 of 520 lanes, 12 hidden"; empty when all are shown.
std::string text(const LaneCounts& counts);

}  // namespace tv

// Which lanes are shown, and in which order: the user's choices (LaneState) applied to a trace. Pinned ones first; then the
// overview if there is one, else the tree of groups: the lanes that the filter chooses, that are isolated, and that are not
// hidden, with the groups around them. Lanes in collapsed groups are not listed.
// Cost: O(lanes), and the filter's; when something changes, not per frame.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/view/lanes/lane_layout.h"

namespace tv {

struct ShownLane {
  LaneId lane{};
  bool collapsed = false, pinned = false, in_overview = false;
  float row = 0;             ///< as OverviewLane says
  std::uint32_t levels = 0, first_slot = 0, thin = 0;  ///< the same
  bool whole_name = false;   ///< the groups around it are not shown
  std::uint32_t indent = 0;  ///< how many of them are
};

struct ShownLanes {
  std::vector<ShownLane> lanes;  ///< top to bottom
  std::vector<bool> kept;        ///< by lane: it has a box, or that of a collapsed group stands for it
};

ShownLanes shown_lanes(const Trace& trace, const LaneState& state);

/// The overview replaces the tree: unless a filter or isolated lanes ask for something else.
bool overview_is_shown(const LaneState& state);
/// Per lane, by the user's choice, the overview or default_collapsed. `keys`: from lane_keys().
std::vector<bool> collapsed_lanes(const Trace& trace, const LaneState& state, const std::vector<std::string>& keys);

/// Lanes that hold something: what people count.
struct LaneCounts {
  std::size_t lanes = 0;
  std::size_t hidden = 0;    ///< by the user, or because others are isolated
  std::size_t left_out = 0;  ///< by the overview
};
LaneCounts count_lanes(const Trace& trace, const LaneState& state);
/// "12 lanes hidden: show", "overview, 64 of 520 lanes"; empty when all are shown.
std::string text(const LaneCounts& counts);

}  // namespace tv

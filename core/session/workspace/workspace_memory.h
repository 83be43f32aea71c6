// What a workspace remembers from frame to frame: how its halves lie, what was walked last, what its texts were made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/query/lane_gaps.h"
#include "core/session/workspace/run_state.h"
#include "core/view/lanes/lane_layout.h"
#include "core/view/panels/shown_state.h"
#include "core/view/timeline/split.h"

namespace tv {

/// The lanes' part of the window, in pixels.
struct TimelineGeometry {
  float width_px = 1000, height_px = 600;
  LaneMetrics metrics;
  float lower_px = 0;  ///< height of the lower half, where the window is split; then height_px is that of the upper one
  bool operator==(const TimelineGeometry&) const = default;
};

/// What each of two timelines above each other (split.h) has of its own. Where there is only one, it is the upper half.
struct TimelineHalf {
  LaneLayout layout;
  std::string lanes_text;
  TimeRange extent;  ///< of its lanes, where the window is split
  double scroll_y = 0, scroll_target = 0;
};

/// The lane that is topmost in sight: it stays there while others come and go.
struct TopLane {
  std::string key;   ///< of lane_keys()
  double above = 0;  ///< pixels of it
};

/// The view file among the paths that were opened.
struct TakenView {
  std::optional<ShownState> state;
  std::string file;
};

/// What the titles of both halves were made of.
struct TitlesOf {
  std::uint64_t generation = UINT64_MAX;
  std::shared_ptr<const std::vector<StepSource>> steps;
  std::optional<Split> split;
  bool operator==(const TitlesOf&) const = default;
};

/// What the waits of the selected slice were made of.
struct WaitsOf {
  std::shared_ptr<const CollectiveWaits> collectives;
  std::shared_ptr<const Rollout> rollout;
  SliceId slice = kNone<SliceId>;
  bool operator==(const WaitsOf&) const = default;
};

/// The last arrow that was followed.
struct WalkedFlow {
  SliceId from{}, arrived{};
  bool forward = true;
  std::size_t at = 0;  ///< which of its arrows
};

/// The gaps that I walks, longest first; found once for the lanes that are walked.
struct WalkedGaps {
  std::uint64_t generation = UINT64_MAX, layout = 0;
  LaneId lane = kNone<LaneId>;  ///< none: all that are shown
  std::vector<Gap> gaps;
};

}  // namespace tv

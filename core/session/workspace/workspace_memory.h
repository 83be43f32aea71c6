// State that a workspace keeps from frame to frame: the layout of its halves, the last walk, and the inputs of its texts.
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

/// The part of the window that shows lanes, in pixels.
struct TimelineGeometry {
  float width_px = 1000, height_px = 600;
  LaneMetrics metrics;
  float lower_px = 0;  ///< height of the lower half if the window is split; then height_px is that of the upper half
  bool operator==(const TimelineGeometry&) const = default;
};

/// State of each of two timelines, one above the other (split.h). A single timeline is the upper half.
struct TimelineHalf {
  LaneLayout layout;
  std::string lanes_text;
  TimeRange extent;  ///< of its lanes, if the window is split
  double scroll_y = 0, scroll_target = 0;
};

/// The topmost lane in sight. It keeps its place while other lanes come and go.
struct TopLane {
  std::string key;   ///< from lane_keys()
  double above = 0;  ///< pixels of it above the window
};

/// The view file among the paths that were opened.
struct TakenView {
  std::optional<ShownState> state;
  std::string file;
};

/// The inputs from which the titles of both halves were made.
struct TitlesOf {
  std::uint64_t generation = UINT64_MAX;
  std::shared_ptr<const std::vector<StepSource>> steps;
  std::optional<Split> split;
  bool operator==(const TitlesOf&) const = default;
};

/// The inputs from which the waits of the selected slice were made.
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
  std::size_t at = 0;  ///< which of the slice's arrows
};

/// The gaps that the key I walks, longest first. They are found once for the lanes that are walked.
struct WalkedGaps {
  std::uint64_t generation = UINT64_MAX, layout = 0;
  LaneId lane = kNone<LaneId>;  ///< none: all lanes that are shown
  std::vector<Gap> gaps;
};

}  // namespace tv

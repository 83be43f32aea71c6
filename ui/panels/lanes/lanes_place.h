// Where lanes are drawn, and which part of a trace they show. Converts times and heights in the layout to pixels, and back.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/session/workspace/workspace.h"
#include "ui/widgets/area.h"

namespace tv {

struct LanesPlace {
  SplitHalf half = SplitHalf::Upper;
  Area area;  ///< the area of the lanes, without their names
  Viewport view;
  double scroll = 0;    ///< y in the layout at the top of the area
  bool pinned = false;  ///< this is the pane of pinned lanes, above the other lanes

  double time_at(float x) const { return view.begin + static_cast<double>(x - area.x) / static_cast<double>(area.width) * view.span; }
  /// Limited to a million pixels, so that times far out of sight can be drawn.
  float x_of(double t) const {
    const double x = static_cast<double>(area.x) + (t - view.begin) / view.span * static_cast<double>(area.width);
    return static_cast<float>(std::clamp(x, -1e6, 1e6));
  }
  float y_of(double layout_y) const { return area.y + static_cast<float>(layout_y - scroll); }
  double layout_y(float y) const { return static_cast<double>(y - area.y) + scroll; }
};

/// A lane that the user pointed at. Its id is only valid in the snapshot with the same generation.
struct PointedLane {
  LaneId lane = kNone<LaneId>;
  std::uint64_t generation = 0;

  PointedLane() = default;
  PointedLane(const Workspace& workspace, LaneId pointed) : lane(pointed), generation(workspace.snapshot().generation) {}
  bool still_there(const Workspace& workspace, SplitHalf half) const {
    return lane != kNone<LaneId> && generation == workspace.snapshot().generation && workspace.state().layout(half).shows(lane);
  }
};

}  // namespace tv

// Moves the clock of a lane's files while the lane's name is dragged with Alt. The lanes follow as fast as views can be built.
#pragma once

#include "core/analysis/clocks/lane_clock.h"
#include "ui/panels/lanes/lanes_place.h"
#include "ui/panels/panel.h"

namespace tv {

class ClockDrag {
 public:
  void begin(const Workspace& workspace, const LanesPlace& place, LaneId lane, float x);
  /// `last`: the mouse button was released at `x`.
  void move_to(const PanelContext& context, float x, bool last);
  /// Restores the clocks from before the drag.
  void cancel(const PanelContext& context) const;
  void draw() const;

 private:
  Ns dragged_by(float x) const;

  LaneClock lane_clock_;
  ClockOffsets before_;
  PlaceBy place_before_ = PlaceBy::Recorded;
  Ns requested_ = 0;  // the move that was last requested
  double ns_per_px_ = 0;
  float pressed_x_ = 0;
};

}  // namespace tv

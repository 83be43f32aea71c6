// Alt and drag on a lane's name: moves the clock of its files. The lanes follow as fast as views can be built.
#pragma once

#include "core/analysis/clocks/lane_clock.h"
#include "ui/panels/lanes/lanes_place.h"
#include "ui/panels/panel.h"

namespace tv {

class ClockDrag {
 public:
  void begin(const Workspace& workspace, const LanesPlace& place, LaneId lane, float x);
  /// `last`: the button was released here.
  void move_to(const PanelContext& context, float x, bool last);
  /// Puts the clocks back.
  void cancel(const PanelContext& context) const;
  void draw() const;

 private:
  Ns dragged_by(float x) const;

  LaneClock of_;
  ClockOffsets before_;
  PlaceBy place_before_ = PlaceBy::Recorded;
  Ns by_ = 0;  // as last requested
  double ns_per_px_ = 0;
  float pressed_x_ = 0;
};

}  // namespace tv

// The context menu of a lane, and the button above the names that opens the menu for the order of lanes.
#pragma once

#include "ui/panels/lanes/lanes_place.h"
#include "ui/panels/lanes/menu_items.h"
#include "ui/panels/panel.h"

namespace tv {

class LaneMenu {
 public:
  explicit LaneMenu(MenuItems& items) : items_(items) {}

  void open(const Workspace& workspace, LaneId lane);
  void draw(const PanelContext& context, SplitHalf half);
  /// Draws the button at the right end of the corner above the names. Returns the width of the button; 0 if there is no room for
  /// it, or nothing to order.
  float draw_order_button(const PanelContext& context, SplitHalf half, const Area& corner);

 private:
  void items_of_lane(const PanelContext& context, SplitHalf half);
  void row_items(const PanelContext& context, const LaneBox& box);
  void sort_items(const PanelContext& context);

  MenuItems& items_;
  PointedLane of_;  ///< the lane whose menu is open
};

}  // namespace tv

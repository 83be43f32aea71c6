// The menu of a lane, and the button above the names with the menu for their order.
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
  /// At the right end of the corner above the names. Returns its width; 0: there is no room, or nothing to order.
  float draw_order_button(const PanelContext& context, SplitHalf half, const Area& corner);

 private:
  void items_of_lane(const PanelContext& context, SplitHalf half);
  void row_items(const PanelContext& context, const LaneBox& box);
  void sort_items(const PanelContext& context);

  MenuItems& items_;
  PointedLane of_;
};

}  // namespace tv

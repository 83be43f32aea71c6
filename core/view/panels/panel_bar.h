// The bar of panels: always one row, whatever is open and however narrow the window is. It shows the groups, then the tabs of one
// of them; tabs without room go into a menu at the end, and groups that take too much of the row become one menu.
//
//   wide     Rollout Training GPU Trace | 1 Steps  2 Workers  3 Blame  4 CDF ...
//   narrow   Rollout v | 1 Steps  2 Workers  +12 v
//
// Invariant: the requested tab is in the row if there is room for at least one. Widths are in the caller's unit.
#pragma once

#include <functional>
#include <vector>

#include "core/view/panels/panel_table.h"

namespace tv {

struct PanelTab {
  const PanelInfo* panel = nullptr;
  int key = 0;  ///< 1 to 9: the key that shows it; 0: none
};

struct PanelBar {
  std::vector<PanelGroup> groups;
  PanelGroup group = PanelGroup::Trace;  ///< whose tabs these are
  bool groups_as_menu = false;
  std::vector<PanelTab> tabs;  ///< in the row
  std::vector<PanelTab> more;  ///< in the menu after it
};

struct PanelBarWidths {
  std::function<float(PanelGroup)> group;
  std::function<float(const PanelTab&)> tab;
  float menu_mark = 0;  ///< additional width of a menu compared to its text
  float more = 0;       ///< width of the menu of tabs without room
  float room = 0;
};

/// `in_sight`: the id of a panel whose tab must be in the row if it belongs to the group.
PanelBar panel_bar(const PanelData& data, PanelGroup group, std::string_view in_sight, const PanelBarWidths& widths);

}  // namespace tv

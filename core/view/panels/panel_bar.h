// The bar of panels: one row, whatever is open and however narrow the window is. Groups, then the tabs of one of them; what has
// no room is in a menu at the end, and groups that take too much of the row become one menu.
//
//   wide     Rollout Training GPU Trace | 1 Steps  2 Workers  3 Blame  4 CDF ...
//   narrow   Rollout v | 1 Steps  2 Workers  +12 v
//
// Invariant: the tab that is wanted in sight is in the row, if even one has room. Widths in any unit, the caller's.
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
  float menu_mark = 0;  ///< how much wider a menu is than its text
  float more = 0;       ///< the menu of what has no room
  float room = 0;
};

/// `in_sight`: the id of a panel whose tab must be in the row, if it is one of the group.
PanelBar panel_bar(const PanelData& of, PanelGroup group, std::string_view in_sight, const PanelBarWidths& widths);

}  // namespace tv

// The window's bar of panels: the groups, the tabs of the current group, and buttons for the panel in front. The bar is one row of
// fixed height, whichever panel is shown below it. core/view/panels/panel_bar.h chooses what is in the bar. The bar is the top of
// the drawer: the panels below the timeline (panel_layout.h).
//
//   click on a group     shows the panel of this group that was shown last
//   click on a tab       shows its panel
//   right click on it    opens a menu of places for the panel
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/view/panels/panel_bar.h"
#include "ui/panels/panel.h"

namespace tv {

/// Where the items of the last frame were drawn, by the names that scripts use: "group GPU", "groups" (the menu of groups),
/// "tab cdf", "more" (the menu of further tabs), "more cdf" (its line), "behind" (the panel of the hidden half), "menu cdf",
/// "close cdf", and "item TITLE" (a line of a panel's menu).
class PanelSpots {
 public:
  void clear() { spots_.clear(); }
  /// Records the centre of the item that ImGui drew last.
  void add_last_item(std::string name);
  std::optional<ImVec2> find(std::string_view name) const;

 private:
  struct Spot {
    std::string name;
    ImVec2 center;
  };
  std::vector<Spot> spots_;
};

class PanelTabs {
 public:
  /// `one_half`: the window is so narrow that only one half of the drawer is visible.
  void draw(const PanelContext& context, const Area& area, bool one_half, PanelSpots& spots);

 private:
  void draw_groups(const PanelContext& context, const PanelBar& bar, PanelSpots& spots) const;
  void draw_tab(const PanelContext& context, const PanelTab& tab, PanelSpots& spots) const;
  void draw_more(const PanelContext& context, const PanelBar& bar, PanelSpots& spots) const;
};

/// Two small buttons at the right edge: one opens the menu of places for the panel, the other closes the panel.
void draw_panel_buttons(const PanelContext& context, const PanelInfo& panel, PanelSpots& spots);
float panel_buttons_width(const PanelContext& context);
/// The same menu, for a right click on the item that ImGui drew last.
void draw_panel_menu(const PanelContext& context, const PanelInfo& panel, PanelSpots& spots);

}  // namespace tv

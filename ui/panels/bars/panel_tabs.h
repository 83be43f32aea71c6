// The bar of panels in the window: groups, the tabs of one of them, and buttons for the panel that is shown. It is one row of fixed
// height, whatever is shown below it (core/view/panels/panel_bar.h chooses its contents).
//
//   click on a group   its panel that was shown last
//   click on a tab     that panel; right click: where to put it
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/view/panels/panel_bar.h"
#include "ui/panels/panel.h"

namespace tv {

/// Positions in the last frame, by the names that scripts use: "tab cdf", "group GPU", "menu cdf", "close cdf", "more".
class PanelSpots {
 public:
  void clear() { spots_.clear(); }
  /// Records the position of the previous item.
  void keep(std::string what);
  std::optional<ImVec2> find(std::string_view what) const;

 private:
  struct Spot {
    std::string what;
    ImVec2 at;
  };
  std::vector<Spot> spots_;
};

class PanelTabs {
 public:
  /// `one_half`: only one half of the drawer is visible.
  void draw(const PanelContext& context, const Area& area, bool one_half, PanelSpots& spots);

 private:
  void draw_groups(const PanelContext& context, const PanelBar& bar, PanelSpots& spots) const;
  void draw_tab(const PanelContext& context, const PanelTab& tab, PanelSpots& spots) const;
  void draw_more(const PanelContext& context, const PanelBar& bar, PanelSpots& spots) const;
};

/// Two small buttons at the right edge: move the panel, and close it.
void draw_panel_buttons(const PanelContext& context, const PanelInfo& panel, PanelSpots& spots);
float panel_buttons_width(const PanelContext& context);
/// The same choices for a right click on the previous item.
void draw_panel_menu(const PanelContext& context, const PanelInfo& panel, PanelSpots& spots);

}  // namespace tv

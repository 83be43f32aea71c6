// The bar of panels in the window: groups, the tabs of one of them, what can be done with the panel that is shown. One row at
// one height, whatever is shown below it (core/view/panels/panel_bar.h says what is in it).
//
//   click on a group   its panel that was seen last
//   click on a tab     that panel; right click: where it can stand
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/view/panels/panel_bar.h"
#include "ui/panels/panel.h"

namespace tv {

/// Where things of the last frame are, by what scripts call them: "tab cdf", "group GPU", "menu cdf", "close cdf", "more".
class PanelSpots {
 public:
  void clear() { spots_.clear(); }
  /// Of the item before.
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
  /// `one_half`: the drawer's other half is behind the one that is seen.
  void draw(const PanelContext& context, const Area& area, bool one_half, PanelSpots& spots);

 private:
  void draw_groups(const PanelContext& context, const PanelBar& bar, PanelSpots& spots) const;
  void draw_tab(const PanelContext& context, const PanelTab& tab, PanelSpots& spots) const;
  void draw_more(const PanelContext& context, const PanelBar& bar, PanelSpots& spots) const;
};

/// Two small buttons at the right edge: where the panel can stand, and away with it.
void draw_panel_buttons(const PanelContext& context, const PanelInfo& panel, PanelSpots& spots);
float panel_buttons_width(const PanelContext& context);
/// The same choices when the item before is clicked with the right button.
void draw_panel_menu(const PanelContext& context, const PanelInfo& panel, PanelSpots& spots);

}  // namespace tv

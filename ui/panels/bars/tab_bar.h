// Draws Desk::tabs(), if there are several: title, loading progress, a cross. A click on a tab shows it, a middle click or a click
// on its cross closes it, dragging moves it. These push commands.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/session/desk/desk.h"
#include "ui/panels/panel.h"

namespace tv {

class TabBar {
 public:
  static bool shown(const std::vector<TabLabel>& tabs) { return tabs.size() > 1; }
  void draw(const PanelContext& context, const Area& area, const std::vector<TabLabel>& tabs);

  /// For scripts: the centre of a tab or of its cross in the last frame. `index` counts from 0.
  std::optional<ImVec2> place_of(std::size_t index, bool cross) const;

 private:
  void draw_tab(const PanelContext& context, const TabLabel& tab, const Area& area);

  struct Drawn {
    Area tab;
    ImVec2 cross;
  };
  std::vector<Drawn> drawn_;
  std::uint64_t dragged_ = 0;  // the tab that was pressed, or 0
  std::uint64_t closing_ = 0;  // the tab whose cross was pressed, or that was pressed with the middle button; or 0
};

}  // namespace tv

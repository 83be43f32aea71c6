// Draws the panels in their places: the two halves of the drawer, the side, and separate windows. Any panel can be in any place,
// but in only one at a time, so a panel keeps its state when it moves.
//
//   drag the edge of the drawer, of the side, or between the halves: resizes it for all panels; double click: default size
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/view/panels/window_layout.h"
#include "ui/panels/bars/own_panels.h"
#include "ui/panels/bars/panel_tabs.h"
#include "ui/panels/tables/chart_panel.h"

namespace tv {

inline Area area_of(const WindowBox& box) { return {box.x, box.y, box.width, box.height}; }

class PanelPlaces {
 public:
  PanelPlaces(Workspace& workspace, std::function<void()> wake) : panels_(workspace, std::move(wake)) {}
  void draw(const PanelContext& context, const WindowLayout& layout, ImVec2 window);

  /// Positions in the last frame: the names in panel_tabs.h, and "edge drawer", "edge halves", "edge side".
  std::optional<ImVec2> place_of(std::string_view what) const { return spots_.find(what); }
  /// Where a panel was drawn in the last frame, without its title; none if it was not drawn.
  std::optional<Area> area_of_panel(std::string_view id) const;
  /// The charts in the left half of the drawer, else in the first place that has charts.
  const ChartPanel& charts() const;
  std::optional<ImVec2> place_of_chip(std::size_t chip, bool its_x) const;
  /// The panels that are not charts.
  const OwnPanels& others() const { return panels_; }

 private:
  // The charts of one panel, and the bar of filters above them.
  struct Charts {
    FilterBar filters;
    ChartPanel panel;
  };
  void draw_edges(const PanelContext& context, const WindowLayout& layout, ImVec2 window);
  void draw_edge(const PanelContext& context, const WindowBox& box, PanelSize which, const char* name);
  void draw_title(const PanelContext& context, const PanelInfo& panel);
  void draw_place(const PanelContext& context, const char* name, const WindowBox& box, const std::string& id, bool title);
  void draw_separate_window(const PanelContext& context, const OwnPanel& own, ImVec2 window);
  void draw_panel(const PanelContext& context, const PanelInfo& panel);

  PanelTabs tabs_;
  PanelSpots spots_;
  OwnPanels panels_;
  std::map<std::string, Charts, std::less<>> charts_;  ///< by panel id
  std::string charts_shown_;                           ///< id of the panel whose charts charts() returns
  std::map<std::string, Area, std::less<>> drawn_;     ///< areas of the panels in this frame, by id; empty if not drawn
  std::optional<PanelSize> dragged_;
  std::map<std::string, Area, std::less<>> separate_windows_;  ///< last areas of the separate windows, in pixels
};

}  // namespace tv

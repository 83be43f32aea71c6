// Where each panel is shown while a trace is open: a PanelLayout, and how the open files and the selection change it. The panel
// that fits the open files is shown until the user chooses one; a selection brings up the details panel.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/view/panels/panel_layout.h"
#include "core/view/panels/panel_table.h"

namespace tv {

class PanelState {
 public:
  const PanelLayout& layout() const { return layout_; }
  /// Sets a stored layout. If its left half is empty, the data decide which panel is shown there.
  void set_layout(PanelLayout layout);
  /// The user has chosen the panel in the left half.
  bool chosen() const { return !by_data_; }
  /// The panels found by the last follow().
  const ShownPanels& shown() const { return shown_; }
  /// The group whose tabs the bar shows.
  PanelGroup group() const { return group_; }
  /// The panel whose tab must be in sight, if there is not room for all.
  const std::string& in_sight() const { return looked_for_.empty() ? layout_.left : looked_for_; }

  /// Call once per frame. `of_selection`: the selection has details that this panel does not show; `loaded`: there are data.
  void follow(const PanelData& data, bool of_selection, bool loaded);
  /// Sets the panel that fits the open files.
  void set_wanted(std::string_view id) { wanted_ = id; }
  /// Something was selected: shows the details panel, in front if the user `clicked` or asked for it.
  void selected(bool clicked);
  /// Other files are opened: returns to the panel that fits them, unless the user has chosen one.
  void forget();
  /// Shows a panel that the user must read now. This does not affect the panel chosen for the next trace.
  void point_at(std::string_view id) { show_panel(layout_, id); }
  /// Whether the drawer has room for only one half, which then hides the other.
  void set_one_half(bool one_half) { one_half_ = one_half; }
  /// Brings this panel's tab into sight, without showing the panel.
  void look_for(std::string_view id);

  /// Shows the panel, or hides it if it is visible. "drawer" stands for the whole drawer.
  void toggle(std::string_view id);
  void show(std::string_view id);
  void show_number(int number, const PanelData& data);
  void show_group(PanelGroup group, const PanelData& data);
  void next_group(bool forward, const PanelData& data);
  void move(std::string_view id, PanelPlace place);
  void close(std::string_view id);
  void size(PanelSize which, float share) { set_panel_size(layout_, which, share); }
  void place_own(const OwnPanel& to) { set_own_panel(layout_, to); }
  void reset();

 private:
  void choose(const PanelData& data);

  PanelLayout layout_;
  ShownPanels shown_;
  bool by_data_ = true;  ///< the data decide the panel in the left half, as the user has chosen none
  bool selected_ = false, one_half_ = false;
  std::string_view wanted_ = "statistics";
  PanelGroup group_ = PanelGroup::Trace;
  std::string group_of_;    ///< the panel that group_ was last taken from
  std::string looked_for_;  ///< set by look_for()
  std::array<std::string, static_cast<std::size_t>(PanelGroup::kCount)> last_of_;  ///< by group: the panel that was last in front
};

}  // namespace tv

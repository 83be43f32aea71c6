// Which panels are shown where while a trace is open: a PanelLayout, and its changes by the open files and the selection. The
// panel that fits the opened files is shown until the user chooses one; a selection brings up the panel of its details.
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
  /// A layout that was kept. If its left half is empty, the data decide what is in it.
  void set_layout(PanelLayout layout);
  /// The user has chosen the panel in the left half.
  bool chosen() const { return !by_data_; }
  /// As follow() last found them.
  const ShownPanels& shown() const { return shown_; }
  /// Whose tabs the bar shows.
  PanelGroup group() const { return group_; }
  /// The panel whose tab must be in sight, where not all have room.
  const std::string& in_sight() const { return looked_for_.empty() ? layout_.left : looked_for_; }

  /// Call once per frame. `of_selection`: the selection has more details than the present panel shows;
  /// `loaded`: there are data.
  void follow(const PanelData& data, bool of_selection, bool loaded);
  /// The panel that fits the open files.
  void set_wanted(std::string_view id) { wanted_ = id; }
  /// Something was selected: where a reader looks for it, and in front if it was `clicked` or asked for.
  void selected(bool clicked);
  /// Something else is opened.
  void forget();
  /// Shows the panel that the user must read now. The next trace is shown as if there had been no such call.
  void point_at(std::string_view id) { show_panel(layout_, id); }
  /// Only one of the drawer's halves has room, and the other is behind it.
  void set_one_half(bool one_half) { one_half_ = one_half; }
  /// The tab of this panel comes in sight, without its being shown.
  void look_for(std::string_view id);

  /// Shows it; one that can be seen goes. "drawer": the whole of it.
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
  bool by_data_ = true;  ///< the user has chosen none
  bool selected_ = false, one_half_ = false;
  std::string_view wanted_ = "statistics";
  PanelGroup group_ = PanelGroup::Trace;
  std::string group_of_;    ///< the panel that group_ was last taken from
  std::string looked_for_;
  std::array<std::string, static_cast<std::size_t>(PanelGroup::kCount)> last_of_;  ///< by group: the panel that was last in front
};

}  // namespace tv

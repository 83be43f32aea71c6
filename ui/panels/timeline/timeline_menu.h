// The context menu of what was right-clicked, with the available commands and their keys.
#pragma once

#include <cstddef>
#include <optional>

#include "core/view/timeline/pick.h"
#include "ui/panels/lanes/menu_items.h"
#include "ui/panels/panel.h"

namespace tv {

class TimelineMenu {
 public:
  explicit TimelineMenu(MenuItems& items) : items_(items) {}

  /// The menu opens in the next draw(). `of`: what was right-clicked.
  void open(const std::optional<Pick>& of);
  /// The same on the ruler. `note`: the note under the mouse. `t`: the time there.
  void open_on_ruler(std::optional<std::size_t> note, Ns t);
  void draw(const PanelContext& context);

 private:
  void ruler_items(const PanelContext& context);
  void note_items(const PanelContext& context);
  void slice_items(const PanelContext& context, SliceId slice);
  void gap_items(const PanelContext& context, const Gap& gap);
  void lane_items(const PanelContext& context, LaneId lane);
  void picture_items(const PanelContext& context);

  MenuItems& items_;
  std::optional<Pick> of_;  // what was right-clicked
  std::optional<std::size_t> note_;
  Ns time_ = 0;
  bool on_ruler_ = false, opens_ = false;
};

}  // namespace tv

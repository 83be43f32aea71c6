// The context menu for the item that was right-clicked: the available commands with their keys.
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

  /// Opens in the next draw().
  void open(const std::optional<Pick>& of);
  /// `note`: under the mouse; `t`: the time there.
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
  std::optional<Pick> of_;
  std::optional<std::size_t> note_;
  Ns time_ = 0;
  bool on_ruler_ = false, opens_ = false;
};

}  // namespace tv

// Draws the items of the open context menu, and remembers their positions: scripts click items by their text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/view/keys/keymap.h"
#include "imgui.h"

namespace tv {

class MenuItems {
 public:
  /// Call in each frame before the first item.
  void clear() { places_.clear(); }
  /// Draws an item with its keys next to it. Returns whether the user chose it.
  bool item(const char* title, std::string_view keys = {}, bool on = false);
  bool item(const char* title, Action action, bool on = false) { return item(title, text(binding(action).chord), on); }
  /// The centre of the first item whose title begins with the text.
  std::optional<ImVec2> place_of(std::string_view text) const;

 private:
  std::vector<std::pair<std::string, ImVec2>> places_;
};

}  // namespace tv

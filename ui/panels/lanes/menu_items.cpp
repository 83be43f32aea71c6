#include "ui/panels/lanes/menu_items.h"

#include <algorithm>

namespace tv {

bool MenuItems::item(const char* title, std::string_view keys, bool on) {
  const std::string shortcut(keys);
  const bool chosen = ImGui::MenuItem(title, keys.empty() ? nullptr : shortcut.c_str(), on);
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  places_.emplace_back(title, ImVec2{(min.x + max.x) / 2, (min.y + max.y) / 2});
  return chosen;
}

std::optional<ImVec2> MenuItems::place_of(std::string_view text) const {
  const auto found = std::ranges::find_if(places_, [&](const auto& item) { return item.first.starts_with(text); });
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace tv

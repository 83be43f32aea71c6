#include "ui/panels/lanes/menu_items.h"

#include <algorithm>

namespace tv {

bool MenuItems::item(const char* title, std::string_view keys, bool on) {
  const bool chosen = ImGui::MenuItem(title, keys.empty() ? nullptr : std::string(keys).c_str(), on);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  places_.emplace_back(title, ImVec2{(low.x + high.x) / 2, (low.y + high.y) / 2});
  return chosen;
}

std::optional<ImVec2> MenuItems::place_of(std::string_view text) const {
  const auto found = std::ranges::find_if(places_, [&](const auto& item) { return item.first.starts_with(text); });
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace tv

#include "ui/panels/lanes/menu_items.h"

#include <algorithm>

#include "ui/widgets/named_places.h"
#include "ui/widgets/text/label.h"

namespace tv {

bool MenuItems::item(const char* title, std::string_view keys, bool on) {
  const std::string shortcut(keys);
  const bool chosen = ImGui::MenuItem(whole_label(title).c_str(), keys.empty() ? nullptr : shortcut.c_str(), on);
  places_.emplace_back(title, middle_of_item());
  return chosen;
}

std::optional<ImVec2> MenuItems::place_of(std::string_view text) const {
  const auto found = std::ranges::find_if(places_, [&](const auto& item) { return item.first.starts_with(text); });
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace tv

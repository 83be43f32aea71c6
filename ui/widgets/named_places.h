// Positions of the items in the last frame, by name, so that scripts can click them.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tv {

using NamedPlaces = std::vector<std::pair<std::string, ImVec2>>;

inline std::optional<ImVec2> place_in(const NamedPlaces& places, std::string_view name) {
  const auto found = std::ranges::find(places, name, &NamedPlaces::value_type::first);
  return found == places.end() ? std::nullopt : std::optional(found->second);
}

/// The middle of the item that was drawn last.
inline ImVec2 middle_of_item() {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  return {(low.x + high.x) / 2, (low.y + high.y) / 2};
}

}  // namespace tv

#include "ui/panels/missing_box.h"

#include <algorithm>

#include "core/base/path_parts.h"
#include "ui/widgets/letters.h"

namespace tv {
namespace {

constexpr std::size_t kMostNamed = 6;

}  // namespace

void MissingBox::draw(const PanelContext& context, const Area& above) {
  const std::vector<ViewSource>& missing = context.workspace.missing_sources();
  if (missing.empty()) return;
  const Theme& theme = context.theme;
  const float width = std::min(theme.px(560), above.width * 0.9f);
  ImGui::SetNextWindowPos({above.x + theme.px(12), above.y - theme.px(8)}, ImGuiCond_Always, {0, 1});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::Begin("missing files", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PushStyleColor(ImGuiCol_Text, theme.warning);
  ImGui::TextUnformatted(missing.size() == 1 ? "A file of this view was not found" : "Files of this view were not found");
  ImGui::PopStyleColor();
  ImGui::PushTextWrapPos(0);
  for (std::size_t m = 0; m < std::min(missing.size(), kMostNamed); ++m) {
    const std::string& path = missing[m].absolute.empty() ? missing[m].relative : missing[m].absolute;
    ImGui::TextUnformatted(with_letters(std::string(last_part(path)).c_str()));
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("It was %s", with_letters(path.c_str()));
  }
  if (missing.size() > kMostNamed) ImGui::TextDisabled("and %zu more", missing.size() - kMostNamed);
  ImGui::PopTextWrapPos();
  char buffer[4096];
  buffer[folder_.copy(buffer, sizeof(buffer) - 1)] = '\0';
  ImGui::SetNextItemWidth(width - theme.px(220));
  bool look = ImGui::InputTextWithHint("##folder", "Folder to look in", buffer, sizeof(buffer), ImGuiInputTextFlags_EnterReturnsTrue);
  folder_ = buffer;
  ImGui::SameLine();
  look |= ImGui::Button("Look there");
  if (look && !folder_.empty()) context.push(command::LocateSources{folder_});
  ImGui::SameLine();
  if (ImGui::Button("Leave out")) context.push(command::LocateSources{});
  ImGui::End();
}

}  // namespace tv

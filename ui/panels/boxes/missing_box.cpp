#include "ui/panels/boxes/missing_box.h"

#include <algorithm>

#include "core/base/text/path_parts.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/text.h"
#include "ui/widgets/text_box.h"

namespace tv {
namespace {

constexpr std::size_t kMostNamed = 6;

}  // namespace

void MissingBox::note_place(std::string_view what) {
  places_.emplace_back(what, middle_of_item());
}

std::optional<ImVec2> MissingBox::place_of(std::string_view what) const {
  return place_in(places_, what);
}

void MissingBox::draw(const PanelContext& context, const Area& above) {
  places_.clear();
  const std::vector<MissingSource>& missing = context.workspace.state().views.missing;
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
    const std::string& path = missing[m].source.path();
    ImGui::TextUnformatted(with_letters(std::string(last_part(path)).c_str()));
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Its path was %s", with_letters(path.c_str()));
  }
  if (missing.size() > kMostNamed) ImGui::TextDisabled("and %zu more", missing.size() - kMostNamed);
  ImGui::PopTextWrapPos();
  const char* const kBrowse = "Choose a folder ...";
  const float buttons = text_width("Look there") + text_width("Leave out") + text_width(kBrowse) + 6 * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(std::max(theme.px(80), ImGui::GetContentRegionAvail().x - buttons - 3 * ImGui::GetStyle().ItemSpacing.x));
  bool look = text_box("##folder", folder_, "Folder to look in", ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  look |= ImGui::Button("Look there");
  ImGui::SameLine();
  if (ImGui::Button(kBrowse)) context.push(command::ChooseFile{{FilePurpose::LookInFolder, {}}});
  note_place("browse");
  if (look && !folder_.empty()) context.push(command::LocateSources{folder_});
  ImGui::SameLine();
  if (ImGui::Button("Leave out")) context.push(command::LocateSources{});
  note_place("leave out");
  ImGui::End();
}

}  // namespace tv

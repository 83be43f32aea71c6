#include <algorithm>

#include "core/view/keymap.h"
#include "ui/panels/side_panels.h"

namespace tv {
namespace {

void row(const PanelContext& context, std::string_view keys, std::string_view title) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.accent);
  ImGui::TextUnformatted(keys.data(), keys.data() + keys.size());
  ImGui::PopStyleColor();
  ImGui::TableNextColumn();
  ImGui::PushTextWrapPos(0);  // to the end of the column
  ImGui::TextUnformatted(title.data(), title.data() + title.size());
  ImGui::PopTextWrapPos();
}

void heading(const PanelContext& context, std::string_view group) {
  ImGui::TableNextRow(0, context.theme.px(28));
  ImGui::TableNextColumn();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + context.theme.px(8));
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted(group.data(), group.data() + group.size());
  ImGui::PopStyleColor();
}

bool begin_column(const PanelContext& context, const char* id) {
  if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_SizingFixedFit)) return false;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, context.theme.px(150));
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
  return true;
}

}  // namespace

void draw_help(const PanelContext& context, const Area& window) {
  const float width = std::min(window.width - context.theme.px(40), context.theme.px(1100));
  const float height = std::min(window.height - context.theme.px(40), context.theme.px(900));
  ImGui::SetNextWindowPos({window.x + (window.width - width) / 2, window.y + (window.height - height) / 2});
  ImGui::SetNextWindowSize({width, height});
  ImGui::SetNextWindowFocus();
  if (ImGui::Begin("Keys and mouse", nullptr, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize |
                                                  ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings)) {
    const float half = ImGui::GetContentRegionAvail().x / 2;
    const auto half_of = [](std::string_view group) { return group == "Move" || group == "Select" || group == "Lanes"; };
    for (const bool left : {true, false}) {
      ImGui::BeginChild(left ? "left" : "right", {half - context.theme.px(4), 0});
      if (begin_column(context, "keys")) {
        std::string_view group;
        for (const Binding& binding : bindings()) {
          if (half_of(binding.group) != left) continue;
          if (binding.group != group) heading(context, group = binding.group);
          std::string keys = text(binding.chord);
          if (const std::string second = text(binding.second); !second.empty()) keys += "  " + second;
          row(context, keys, binding.title);
        }
        if (!left) {
          group = {};
          for (const Gesture& gesture : gestures()) {
            if (gesture.group != group) heading(context, group = gesture.group);
            row(context, gesture.gesture, gesture.title);
          }
        }
        ImGui::EndTable();
      }
      ImGui::EndChild();
      if (left) ImGui::SameLine();
    }
  }
  ImGui::End();
}

}  // namespace tv

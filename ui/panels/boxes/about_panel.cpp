#include "ui/panels/boxes/about_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/widgets/text/text.h"

namespace tv {

std::string about_text(const AboutLines& lines) {
  std::size_t widest = 0;
  for (const auto& [word, value] : lines) widest = std::max(widest, word.size());
  std::string text;
  for (const auto& [word, value] : lines) text += fmt::format("{:<{}}  {}\n", word, widest, value);
  return text;
}

bool draw_about(const PanelContext& context, const Area& window, const AboutLines& lines) {
  constexpr float kAboutWidth = 720;
  const Theme& theme = context.theme;
  const float width = std::min(window.width - theme.px(40), theme.px(kAboutWidth));
  bool stays = true;
  ImGui::SetNextWindowPos({window.x + std::floor((window.width - width) / 2), window.y + std::floor(window.height * 0.1f)});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, window.height * 0.85f});
  if (ImGui::Begin("About traceview", nullptr, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                                   ImGuiWindowFlags_NoSavedSettings)) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted("traceview shows timelines of training runs. It opens no network connection and sends nothing.");
    ImGui::Spacing();
    float column = 0;
    for (const auto& [word, value] : lines) column = std::max(column, text_width(word));
    for (const auto& [word, value] : lines) label_and_value(word.c_str(), value, column + theme.px(16), theme.text_dim);
    ImGui::PopTextWrapPos();
    ImGui::Spacing();
    if (ImGui::Button("Copy diagnostics")) context.push(command::CopyText{about_text(lines)});
    ImGui::SameLine();
    stays = !ImGui::Button("Close");
  }
  ImGui::End();
  return stays;
}

}  // namespace tv

#include "ui/widgets/control_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "imgui_internal.h"
#include "ui/widgets/text/label.h"

namespace tv {
namespace {

constexpr float kSlider = 150, kChoice = 190, kMostChoice = 380, kBetween = 16;
constexpr std::size_t kSearchedFrom = 20;  // choices; reading fewer is faster than typing a word

bool holds(std::string_view text, std::string_view part) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  const auto same = [&](char a, char b) { return lower(a) == lower(b); };
  return part.empty() || std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

// Shows the chosen value in full if possible.
float choice_width(const ChartControl& control, const Theme& theme) {
  const float text = ImGui::CalcTextSize(std::string(control.shown()).c_str()).x;
  return std::clamp(text + ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().FramePadding.x, theme.px(kChoice), theme.px(kMostChoice));
}

// Wide enough for all values; otherwise, the controls to the right would move.
float number_width(const ChartControl& control) {
  const auto width = [&](double value) {
    return ImGui::CalcTextSize(fmt::format("{:.{}f} {}", value, control.whole ? 0 : 1, control.unit).c_str()).x;
  };
  return std::max(width(control.least), width(control.most));
}

float control_width(const ChartControl& control, const Theme& theme) {
  if (control.free_text) return theme.px(kChoice);
  if (!control.choices.empty()) return choice_width(control, theme);
  return theme.px(kSlider) + ImGui::GetStyle().ItemSpacing.x + number_width(control);
}

std::optional<std::string> choose(const ChartControl& control, const Theme& theme) {
  std::optional<std::string> chosen;
  ImGui::SetNextItemWidth(choice_width(control, theme));
  if (!ImGui::BeginCombo("##choice", whole_label(control.shown()).c_str(), ImGuiComboFlags_HeightLarge)) return {};
  static char part[64] = "";  // only one list is open at a time
  if (ImGui::IsWindowAppearing()) {
    part[0] = '\0';
    if (control.choices.size() >= kSearchedFrom) ImGui::SetKeyboardFocusHere();
  }
  if (control.choices.size() >= kSearchedFrom) {
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##part", "search", part, sizeof(part));
  }
  for (const ChartControl::Choice& choice : control.choices) {
    if (!holds(choice.title, part)) continue;
    ImGui::PushID(static_cast<int>(&choice - control.choices.data()));
    if (ImGui::Selectable(whole_label(choice.title).c_str(), choice.value == control.value)) chosen = choice.value;
    ImGui::PopID();
  }
  ImGui::EndCombo();
  return chosen;
}

std::optional<std::string> slide(const ChartControl& control, const Theme& theme) {
  auto value = static_cast<float>(std::atof(control.value.c_str()));
  const std::string unit = control.unit == "%" ? " %%" : control.unit.empty() ? "" : " " + control.unit;
  const std::string format = (control.whole ? "%.0f" : "%.1f") + unit;
  const ImGuiSliderFlags flags =
      ImGuiSliderFlags_AlwaysClamp | (control.logarithmic ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None);
  ImGui::SetNextItemWidth(theme.px(kSlider));
  // The number is drawn next to the slider, where the grip does not cover it. Ctrl+click edits it on the slider.
  const bool typed = ImGui::TempInputIsActive(ImGui::GetID("##number"));
  if (!typed) ImGui::PushStyleColor(ImGuiCol_Text, 0);
  const bool moved = ImGui::SliderFloat("##number", &value, static_cast<float>(control.least), static_cast<float>(control.most),
                                        format.c_str(), flags);
  if (!typed) ImGui::PopStyleColor();
  ImGui::SameLine();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  char number[64];
  std::snprintf(number, sizeof(number), format.c_str(), static_cast<double>(value));
  ImGui::GetWindowDrawList()->AddText({at.x, at.y + ImGui::GetStyle().FramePadding.y}, theme.text, number);
  ImGui::Dummy({number_width(control), ImGui::GetFrameHeight()});
  if (!moved) return {};
  const double rounded = control.whole ? std::round(value) : std::round(static_cast<double>(value) * 10) / 10;
  return fmt::format("{:g}", std::clamp(rounded, control.least, control.most));
}

// Returns the text only when Enter is pressed or the field loses the keyboard, because the charts are then recomputed.
std::optional<std::string> type_in(const ChartControl& control, const Theme& theme) {
  static char text[256] = "";  // shared by all fields, as only one is edited at a time
  static ImGuiID active = 0;
  const ImGuiID id = ImGui::GetID("##text");
  if (active != id) {
    const std::size_t size = std::min(control.value.size(), sizeof(text) - 1);
    std::copy_n(control.value.begin(), size, text);
    text[size] = '\0';
  }
  ImGui::SetNextItemWidth(theme.px(kChoice));
  const bool patterns = control.setting == "communication";
  const bool entered = ImGui::InputTextWithHint("##text", patterns ? "pattern|other|-not this" : "name or part of it", text,
                                                sizeof(text),
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  const bool left = ImGui::IsItemDeactivatedAfterEdit();
  if (ImGui::IsItemActive()) {
    active = id;
  } else if (active == id) {
    active = 0;
  }
  if (!entered && !left) return {};
  return std::string(text);
}

}  // namespace

std::optional<std::pair<std::string, std::string>> control_row(std::span<const ChartControl> controls,
                                                               const Theme& theme) {
  std::optional<std::pair<std::string, std::string>> set;
  for (std::size_t c = 0; c < controls.size(); ++c) {
    const ChartControl& control = controls[c];
    if (c > 0) ImGui::SameLine(0, theme.px(kBetween));
    const float needed = ImGui::CalcTextSize(control.title.c_str()).x + control_width(control, theme) + theme.px(kBetween);
    if (ImGui::GetContentRegionAvail().x < needed) ImGui::NewLine();
    ImGui::PushID(control.setting.c_str());
    ImGui::BeginGroup();
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, theme.text_dim);
    ImGui::TextUnformatted(control.title.c_str());
    ImGui::PopStyleColor();
    ImGui::SameLine();
    const auto value = control.free_text         ? type_in(control, theme)
                       : control.choices.empty() ? slide(control, theme)
                                                 : choose(control, theme);
    ImGui::EndGroup();
    if (value && *value != control.value) set = {control.setting, *value};
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", control.hint.c_str());
    ImGui::PopID();
  }
  return set;
}

}  // namespace tv

#include "ui/panels/bars/panel_tabs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/view/keys/keymap.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/named_places.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kTabPad = 6, kBetweenTabs = 2, kMenuMark = 14, kAfterGroups = 12;
constexpr float kDigitScale = 0.72f;        // the size of the digit before a tab's title, relative to the title
constexpr const char* kWidestMore = "+88";  // the button for further tabs is wide enough for this text

float digit_width(const PanelTab& tab) { return tab.key == 0 ? 0 : std::ceil(ImGui::GetFontSize() * 0.52f); }
float tab_width(const PanelContext& context, const PanelTab& tab) {
  return text_width(tab.panel->title) + digit_width(tab) + context.theme.px(2 * kTabPad + kBetweenTabs);
}
float group_width(const PanelContext& context, PanelGroup group) {
  return text_width(name(group)) + context.theme.px(2 * kTabPad + kBetweenTabs);
}

// A button that has a frame only under the mouse. `back`: the background, or 0. `tab`: draws the digit of the tab's key. `menu`:
// draws a triangle, because a click opens a menu.
bool flat_button(const PanelContext& context, const char* id, std::string_view text, float width, Rgba color, Rgba back,
                 const PanelTab* tab, bool menu) {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  const bool pressed = ImGui::InvisibleButton(id, {width, height});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + width, at.y + height};
  if (back) list.AddRectFilled(at, end, back, theme.px(3));
  if (ImGui::IsItemHovered()) list.AddRect(at, end, theme.hover, theme.px(3));
  const float y = at.y + (height - ImGui::GetFontSize()) / 2;
  float x = at.x + theme.px(kTabPad);
  if (tab && tab->key != 0) {
    const char digit[2] = {static_cast<char>('0' + tab->key), '\0'};
    draw_text(list, {x, y + ImGui::GetFontSize() * (1 - kDigitScale) * 0.5f}, theme.text_dim, digit, kDigitScale);
    x += digit_width(*tab);
  }
  draw_text(list, {x, y}, color, text);
  if (menu) {
    const ImVec2 mid{end.x - theme.px(9), at.y + height / 2};
    const float r = theme.px(3);
    list.AddTriangleFilled({mid.x - r, mid.y - r * 0.6f}, {mid.x + r, mid.y - r * 0.6f}, {mid.x, mid.y + r * 0.7f}, color);
  }
  return pressed;
}

// Below the item, the tooltip would hide other tabs.
void tooltip_above(const PanelContext& context, const std::string& text) {
  const ImVec2 low = ImGui::GetItemRectMin();
  const float width = ImGui::CalcTextSize(text.c_str()).x + 2 * ImGui::GetStyle().WindowPadding.x;
  const float x = std::max(0.0f, std::min(low.x, ImGui::GetIO().DisplaySize.x - width));
  ImGui::SetNextWindowPos({x, low.y - context.theme.px(4)}, ImGuiCond_Always, {0, 1});
  ImGui::SetTooltip("%s", text.c_str());
}

std::string tab_hint(const PanelContext& context, const PanelTab& tab) {
  std::string hint(tab.panel->hint);
  if (tab.key != 0) hint += fmt::format("   (key {})", tab.key);
  const auto place = place_of(context.workspace.state().panels.layout(), tab.panel->id);
  if (place == PanelPlace::Right) hint += "\nShown in the right half";
  if (place == PanelPlace::Side) hint += "\nShown at the side of the window";
  if (place == PanelPlace::Own) hint += "\nShown in a window of its own";
  return hint + "\nRight click: move the panel";
}

void menu_items(const PanelContext& context, const PanelInfo& panel, PanelSpots& spots) {
  struct Choice {
    PanelPlace place;
    const char* title;
  };
  constexpr Choice kChoices[] = {{PanelPlace::Left, "Back to the tabs"},
                                 {PanelPlace::Right, "Split: into the right half"},
                                 {PanelPlace::Side, "To the side of the window"},
                                 {PanelPlace::Own, "In a window of its own"}};
  const auto place = place_of(context.workspace.state().panels.layout(), panel.id);
  for (const Choice& choice : kChoices) {
    if (place == choice.place) continue;
    const char* const title = !place && choice.place == PanelPlace::Left ? "Show here" : choice.title;
    if (ImGui::MenuItem(title)) context.push(command::MovePanel{std::string(panel.id), choice.place});
    spots.add_last_item(fmt::format("item {}", title));
  }
  ImGui::Separator();
  if (place && ImGui::MenuItem("Close")) context.push(command::ClosePanel{std::string(panel.id)});
  const std::string key = text(binding(Action::ResetPanels).chord);
  if (ImGui::MenuItem("Reset all panels", key.c_str())) context.push(command::ResetPanels{});
  spots.add_last_item("item Reset all panels");
}

}  // namespace

void PanelSpots::add_last_item(std::string name) {
  spots_.push_back({std::move(name), middle_of_item()});
}

std::optional<ImVec2> PanelSpots::find(std::string_view name) const {
  const auto found = std::ranges::find(spots_, name, &Spot::name);
  return found == spots_.end() ? std::nullopt : std::optional(found->center);
}

void draw_panel_menu(const PanelContext& context, const PanelInfo& panel, PanelSpots& spots) {
  ImGui::PushID(panel.id.data(), panel.id.data() + panel.id.size());
  if (ImGui::BeginPopupContextItem("where")) {
    menu_items(context, panel, spots);
    ImGui::EndPopup();
  }
  ImGui::PopID();
}

float panel_buttons_width(const PanelContext& context) { return 2 * ImGui::GetFrameHeight() + context.theme.px(4); }

void draw_panel_buttons(const PanelContext& context, const PanelInfo& panel, PanelSpots& spots) {
  const float size = ImGui::GetFrameHeight();
  ImGui::PushID(panel.id.data(), panel.id.data() + panel.id.size());
  const Theme& theme = context.theme;
  const ImVec2 menu_at = ImGui::GetCursorScreenPos();
  if (flat_button(context, "menu", "", size, theme.text_dim, 0, nullptr, false)) ImGui::OpenPopup("where from the button");
  spots.add_last_item("menu " + std::string(panel.id));
  if (ImGui::IsItemHovered()) tooltip_above(context, "Split, move to the side, or open in a window of its own");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (int dot = -1; dot <= 1; ++dot) {
    list.AddCircleFilled({menu_at.x + size / 2 + static_cast<float>(dot) * theme.px(5), menu_at.y + size / 2}, theme.px(1.5f),
                         theme.text_dim);
  }
  if (ImGui::BeginPopup("where from the button")) {
    menu_items(context, panel, spots);
    ImGui::EndPopup();
  }
  ImGui::SameLine(0, theme.px(2));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (flat_button(context, "close", "", size, theme.text_dim, 0, nullptr, false)) {
    context.push(command::ClosePanel{std::string(panel.id)});
  }
  spots.add_last_item("close " + std::string(panel.id));
  if (ImGui::IsItemHovered()) tooltip_above(context, "Close");
  const float r = theme.px(3.5f);
  const ImVec2 mid{at.x + size / 2, at.y + size / 2};
  list.AddLine({mid.x - r, mid.y - r}, {mid.x + r, mid.y + r}, theme.text_dim, theme.px(1.3f));
  list.AddLine({mid.x - r, mid.y + r}, {mid.x + r, mid.y - r}, theme.text_dim, theme.px(1.3f));
  ImGui::PopID();
}

void PanelTabs::draw_tab(const PanelContext& context, const PanelTab& tab, PanelSpots& spots) const {
  const ShownPanels& shown = context.workspace.state().panels.shown();
  const bool active = shown.left == tab.panel->id, elsewhere = !active && shown.has(tab.panel->id);
  const std::string id(tab.panel->id);
  const Theme& theme = context.theme;
  if (flat_button(context, id.c_str(), tab.panel->title, tab_width(context, tab) - theme.px(kBetweenTabs),
                  elsewhere ? theme.accent : theme.text, active ? theme.accent_soft : Rgba(0), &tab, false)) {
    context.push(command::ShowPanel{id});
  }
  spots.add_last_item("tab " + id);
  if (ImGui::IsItemHovered()) tooltip_above(context, tab_hint(context, tab));
  draw_panel_menu(context, *tab.panel, spots);
  ImGui::SameLine(0, theme.px(kBetweenTabs));
}

void PanelTabs::draw_groups(const PanelContext& context, const PanelBar& bar, PanelSpots& spots) const {
  const Theme& theme = context.theme;
  if (bar.groups_as_menu) {
    const float width = group_width(context, bar.group) + theme.px(kMenuMark - kBetweenTabs);
    if (flat_button(context, "groups", name(bar.group), width, theme.text, theme.header, nullptr, true)) {
      ImGui::OpenPopup("groups of panels");
    }
    spots.add_last_item("groups");
    if (ImGui::BeginPopup("groups of panels")) {
      for (const PanelGroup group : bar.groups) {
        const std::string title(name(group));
        if (ImGui::MenuItem(title.c_str(), nullptr, group == bar.group)) context.push(command::ShowPanelGroup{group});
        spots.add_last_item("group " + title);
      }
      ImGui::EndPopup();
    }
    ImGui::SameLine(0, theme.px(kBetweenTabs));
    return;
  }
  if (bar.groups.size() < 2) return;
  for (const PanelGroup group : bar.groups) {
    const std::string title(name(group));
    const bool active = group == bar.group;
    const float width = group_width(context, group) - theme.px(kBetweenTabs);
    if (flat_button(context, title.c_str(), title, width, active ? theme.text : theme.text_dim, 0, nullptr, false) && !active) {
      context.push(command::ShowPanelGroup{group});
    }
    spots.add_last_item("group " + title);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (active) {
      ImGui::GetWindowDrawList()->AddRectFilled({low.x + theme.px(3), high.y - theme.px(2)}, {high.x - theme.px(3), high.y},
                                                theme.accent);
    }
    if (ImGui::IsItemHovered()) {
      tooltip_above(context, "Panels: " + title + around_key(Action::NextPanels, "   (", " for the next group)"));
    }
    ImGui::SameLine(0, theme.px(kBetweenTabs));
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float x = std::floor(at.x + theme.px(kAfterGroups) / 2 - theme.px(kBetweenTabs));
  ImGui::GetWindowDrawList()->AddLine({x, at.y + theme.px(3)}, {x, at.y + ImGui::GetFrameHeight() - theme.px(3)}, theme.border);
  ImGui::SameLine(0, theme.px(kAfterGroups));
}

void PanelTabs::draw_more(const PanelContext& context, const PanelBar& bar, PanelSpots& spots) const {
  if (bar.more.empty()) return;
  const Theme& theme = context.theme;
  const std::string text = fmt::format("+{}", bar.more.size());
  if (flat_button(context, "more", text, text_width(kWidestMore) + theme.px(2 * kTabPad + kMenuMark), theme.text, theme.header,
                  nullptr, true)) {
    ImGui::OpenPopup("more panels");
  }
  spots.add_last_item("more");
  if (ImGui::IsItemHovered()) tooltip_above(context, "More panels of this group");
  if (ImGui::BeginPopup("more panels")) {
    for (const PanelTab& tab : bar.more) {
      const std::string title(tab.panel->title), key = tab.key ? std::to_string(tab.key) : std::string();
      if (ImGui::MenuItem(title.c_str(), key.c_str())) context.push(command::ShowPanel{std::string(tab.panel->id)});
      spots.add_last_item("more " + std::string(tab.panel->id));
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", std::string(tab.panel->hint).c_str());
    }
    ImGui::EndPopup();
  }
}

void PanelTabs::draw(const PanelContext& context, const Area& area, bool one_half, PanelSpots& spots) {
  if (area.height <= 0) return;
  const Theme& theme = context.theme;
  const BarWindow window("panel bar", area, context.backdrop, theme.panel);
  const float room = ImGui::GetContentRegionAvail().x;
  const PanelState& panels = context.workspace.state().panels;
  const PanelData data = context.workspace.panel_data();
  const std::string& hidden_id = panels.layout().right_in_front ? panels.shown().left : panels.shown().right;
  const PanelInfo* const hidden_panel = one_half ? find_panel(hidden_id) : nullptr;
  const float hidden_width = hidden_panel ? text_width(hidden_panel->title) + theme.px(2 * kTabPad + kMenuMark) : 0;
  const float end = panel_buttons_width(context) + hidden_width + theme.px(6);
  PanelBarWidths widths;
  widths.group = [&](PanelGroup group) { return group_width(context, group); };
  widths.tab = [&](const PanelTab& tab) { return tab_width(context, tab); };
  widths.menu_mark = theme.px(kMenuMark);
  widths.more = text_width(kWidestMore) + theme.px(2 * kTabPad + kMenuMark);
  widths.room = room - end - theme.px(kAfterGroups);
  const PanelBar bar = panel_bar(data, panels.group(), panels.in_sight(), widths);
  draw_groups(context, bar, spots);
  for (const PanelTab& tab : bar.tabs) draw_tab(context, tab, spots);
  draw_more(context, bar, spots);
  const float left = ImGui::GetWindowContentRegionMin().x;
  if (hidden_panel) {
    ImGui::SameLine(left + room - panel_buttons_width(context) - hidden_width - theme.px(4));
    if (flat_button(context, "behind", hidden_panel->title, hidden_width, theme.accent, theme.header, nullptr, true)) {
      context.push(command::ShowPanel{hidden_id});
    }
    spots.add_last_item("behind");
    if (ImGui::IsItemHovered()) tooltip_above(context, "The window is too narrow for both halves: click to show this panel instead");
  }
  const std::string& front = one_half && panels.layout().right_in_front ? panels.shown().right : panels.shown().left;
  if (const PanelInfo* const panel = find_panel(front)) {
    ImGui::SameLine(left + room - panel_buttons_width(context));
    draw_panel_buttons(context, *panel, spots);
  }
}

}  // namespace tv

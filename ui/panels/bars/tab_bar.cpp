#include "ui/panels/bars/tab_bar.h"

#include <algorithm>
#include <cmath>

#include "core/view/keys/keymap.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kWidestTab = 260, kNarrowestTab = 60, kPlusWidth = 30, kCrossHalf = 3.5f, kCrossRoom = 22, kTextX = 10;

}  // namespace

void TabBar::draw(const PanelContext& context, const Area& area, const std::vector<TabLabel>& tabs) {
  const BarWindow bar("tabs", area, context.backdrop, context.theme.window);
  const Theme& theme = context.theme;
  const float room = area.width - theme.px(kPlusWidth);
  const float width = std::floor(std::clamp(room / static_cast<float>(tabs.size()), theme.px(kNarrowestTab), theme.px(kWidestTab)));
  // Tabs that do not fit can only be reached by keys. The current tab is always in sight.
  const auto fit = static_cast<std::size_t>(std::max(1.0f, room / width));
  const auto current = static_cast<std::size_t>(std::ranges::find(tabs, true, &TabLabel::current) - tabs.begin());
  const std::size_t first = current < fit ? 0 : current + 1 - fit;
  const std::size_t end = std::min(tabs.size(), first + fit);
  drawn_.assign(tabs.size(), {});
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) dragged_ = 0;
  for (std::size_t i = first; i < end; ++i) {
    const Area tab{area.x + static_cast<float>(i - first) * width, area.y, width, area.height};
    drawn_[i] = {tab, {tab.x + tab.width - theme.px(kCrossRoom) / 2, tab.y + tab.height / 2}};
    draw_tab(context, tabs[i], tab);
  }
  if (dragged_ != 0) {
    const float x = ImGui::GetIO().MousePos.x;
    const auto over = static_cast<std::size_t>(std::clamp((x - area.x) / width, 0.0f, static_cast<float>(end - first - 1))) + first;
    const auto from = static_cast<std::size_t>(std::ranges::find(tabs, dragged_, &TabLabel::id) - tabs.begin());
    if (from < tabs.size() && over != from) context.push(command::MoveTab{dragged_, over});
  }
  ImGui::SetCursorScreenPos({area.x + static_cast<float>(end - first) * width, area.y});
  if (ImGui::InvisibleButton("new", {theme.px(kPlusWidth), area.height})) context.push(command::NewTab{});
  const bool over = ImGui::IsItemHovered();
  const ImVec2 low = ImGui::GetItemRectMin();
  draw_text(*ImGui::GetWindowDrawList(), {low.x + theme.px(10), low.y + (area.height - ImGui::GetFontSize()) / 2},
            over ? theme.text : theme.text_dim, "+");
  if (over) ImGui::SetTooltip("New tab%s", key_in_brackets(Action::NewTab).c_str());
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ImGui::IsMouseDown(ImGuiMouseButton_Middle)) closing_ = 0;
}

void TabBar::draw_tab(const PanelContext& context, const TabLabel& tab, const Area& area) {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushID(static_cast<int>(tab.id));
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float cross_x = area.x + area.width - theme.px(kCrossRoom);
  const bool on_cross = mouse.x >= cross_x;
  ImGui::SetCursorScreenPos(area.min());
  ImGui::InvisibleButton("tab", area.size(), ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  const bool over = ImGui::IsItemHovered();
  if (ImGui::IsItemActivated() && ImGui::IsMouseDown(ImGuiMouseButton_Left) && !on_cross) {
    dragged_ = tab.id;
    if (!tab.current) context.push(command::GoToTab{tab.id});
  } else if (ImGui::IsItemActivated()) {
    closing_ = tab.id;
  }
  // A drag that began elsewhere and ends here closes nothing.
  const bool left_released = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && on_cross;
  const bool released = left_released || ImGui::IsMouseReleased(ImGuiMouseButton_Middle);
  if (over && released && closing_ == tab.id) context.push(command::CloseTab{tab.id});
  if (over && dragged_ == 0) {
    const std::string close = "Close (" + around_key(Action::Close, "", ", or ") + "a middle click)";
    const char* const what = tab.tooltip.empty() ? "Nothing is open here" : with_letters(tab.tooltip.c_str());
    ImGui::SetTooltip("%s", on_cross ? close.c_str() : what);
  }
  const Rgba fill = tab.current ? theme.header : over ? theme.panel : theme.window;
  list.AddRectFilled(area.min(), area.max(), fill);
  list.AddLine({area.x + area.width - 1, area.y + theme.px(5)}, {area.x + area.width - 1, area.y + area.height - theme.px(5)}, theme.border);
  if (tab.current) list.AddRectFilled(area.min(), {area.x + area.width, area.y + theme.px(2)}, theme.accent);
  if (tab.loading) {
    const float y = area.y + area.height - theme.px(3);
    list.AddRectFilled({area.x, y}, {area.x + area.width * *tab.loading, area.y + area.height}, theme.accent);
  }
  draw_text_fitted(list, {area.x + theme.px(kTextX), area.y + (area.height - ImGui::GetFontSize()) / 2}, cross_x - area.x - theme.px(kTextX),
                   tab.current ? theme.text : theme.text_dim, tab.title);
  const float half = theme.px(kCrossHalf);
  const ImVec2 middle{cross_x + theme.px(kCrossRoom) / 2, area.y + area.height / 2};
  const Rgba ink = over && on_cross ? theme.text : theme.text_dim;
  list.AddLine({middle.x - half, middle.y - half}, {middle.x + half, middle.y + half}, ink, theme.px(1.3f));
  list.AddLine({middle.x - half, middle.y + half}, {middle.x + half, middle.y - half}, ink, theme.px(1.3f));
  ImGui::PopID();
}

std::optional<ImVec2> TabBar::place_of(std::size_t index, bool cross) const {
  if (index >= drawn_.size() || drawn_[index].tab.width <= 0) return std::nullopt;
  const Area& tab = drawn_[index].tab;
  return cross ? drawn_[index].cross : ImVec2{tab.x + tab.width / 3, tab.y + tab.height / 2};
}

}  // namespace tv

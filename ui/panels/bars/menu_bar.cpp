#include <algorithm>
#include <cmath>

#include "core/session/desk/command_scene.h"
#include "core/view/keys/keymap.h"
#include "ui/panels/command_panels.h"
#include "ui/widgets/named_places.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kCompactBelow = 900;  // width of the window, in units
constexpr float kMenuRow = 3, kMenuPadding = 8, kBetweenTitleAndKeys = 28, kDotRoom = 16, kBetweenSections = 5;

std::string_view menu_title(const ListedCommand& command) {
  const std::string_view title = command.title;
  constexpr std::string_view kShow = "Show: ";
  return title.starts_with(kShow) ? title.substr(kShow.size()) : title;
}

}  // namespace

bool MenuBar::button(const PanelContext& context, const char* title, bool on, bool compact) {
  ImGui::PushStyleColor(ImGuiCol_Button, on ? context.theme.accent_soft : 0);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  const bool clicked = ImGui::Button(title);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  (compact ? places_ : buttons_).emplace_back(title, middle_of_item());
  over_button_ |= ImGui::IsItemHovered();
  return clicked;
}

void MenuBar::draw_buttons(const PanelContext& context, float bar_width) {
  const bool was_open = std::exchange(open_, context.workspace.state().command_use.menus);
  if (open_ && !was_open) {
    chosen_ = SIZE_MAX;
    appears_ = true;
    by_hover_ = false;
  }
  if (!open_) open_menu_.reset();
  if (open_ && !open_menu_) {
    open_menu_ = Menu::File;
    chosen_ = SIZE_MAX;
  }
  compact_ = bar_width < context.theme.px(kCompactBelow);
  buttons_.clear();
  over_button_ = false;
  if (compact_) {
    if (button(context, "Menu", open_, false)) context.push(command::ToggleMenus{});
    button_x_[0] = ImGui::GetItemRectMin().x;
    ImGui::SameLine();
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {context.theme.px(6), ImGui::GetStyle().FramePadding.y});
  for (std::size_t m = 0; m < kMenus; ++m) {
    const auto menu = static_cast<Menu>(m);
    const bool on = open_menu_ == menu;
    if (button(context, name(menu).data(), on, false)) {
      // A menu that opened by hovering stays open when it is clicked.
      if (!open_ || (on && !std::exchange(by_hover_, false))) context.push(command::ToggleMenus{});
      open_menu_ = menu;
      chosen_ = SIZE_MAX;
    } else if (open_ && ImGui::IsItemHovered() && !on) {
      open_menu_ = menu;
      by_hover_ = true;
      chosen_ = SIZE_MAX;
    }
    button_x_[m] = ImGui::GetItemRectMin().x;
    ImGui::SameLine(0, 0);
  }
  ImGui::PopStyleVar();
  ImGui::SameLine(0, context.theme.px(20));  // the following items are not menus
}

// Arranges the lines of the menu in as few columns as possible; a section stays in one column if it fits.
void MenuBar::arrange(const PanelContext& context, const Area& room) {
  const Theme& theme = context.theme;
  const float row = std::floor(ImGui::GetFontSize() + theme.px(2 * kMenuRow));
  lines_.clear();
  std::vector<std::string_view> sections;
  float widest = 0;
  for (std::size_t c = 0; c < commands_.size(); ++c) {
    const ListedCommand& each = commands_[c];
    if (each.menu != open_menu_) continue;
    if (each.menu == Menu::Analyse && !each.enabled) continue;  // leaves out panels without data
    const bool begins = sections.empty() || sections.back() != each.section;
    if (begins && !each.section.empty()) lines_.push_back({SIZE_MAX, each.section, 0, 0});
    if (begins) sections.push_back(each.section);
    lines_.push_back({c, menu_title(each), 0, 0});
    const float keys = each.keys.empty() ? 0 : text_width(each.keys) + theme.px(kBetweenTitleAndKeys);
    widest = std::max(widest, text_width(lines_.back().title) + keys);
  }
  column_width_ = std::ceil(std::min(widest + theme.px(kDotRoom + 2 * kMenuPadding), room.width - theme.px(2 * kMenuPadding)));
  const auto most_columns = std::max<std::size_t>(1, static_cast<std::size_t>(room.width / (column_width_ + theme.px(kMenuPadding))));
  const auto place = [&](float most) {
    std::size_t column = 0;
    float y = 0;
    height_ = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const bool heading = lines_[i].command == SIZE_MAX;
      const float above = heading && y > 0 ? theme.px(kBetweenSections) : 0;
      std::size_t end = i + 1;  // end of the section
      while (heading && end < lines_.size() && lines_[end].command != SIZE_MAX) ++end;
      const float needed = above + row * static_cast<float>(end - i);
      const bool whole_fits = needed <= most;
      if (y > 0 && y + (whole_fits ? needed : above + row) > most) {
        ++column;
        y = 0;
      }
      if (heading && y > 0) y += above;
      lines_[i].column = column;
      lines_[i].y = y;
      y += row;
      height_ = std::max(height_, y);
    }
    columns_ = column + 1;
  };
  const float most = room.height - theme.px(2 * kMenuPadding);
  place(most);
  for (float more = most; columns_ > most_columns; more += row) place(more);  // too many columns: the menu scrolls instead
  if (lines_.empty()) columns_ = 1;
}

void MenuBar::step(int by) {
  if (lines_.empty()) return;
  const auto count = static_cast<int>(lines_.size());
  int at = chosen_ == SIZE_MAX ? (by > 0 ? -1 : count) : static_cast<int>(chosen_);
  for (int tries = 0; tries < count; ++tries) {
    at = (at + by + count) % count;
    const Line& line = lines_[static_cast<std::size_t>(at)];
    if (line.command != SIZE_MAX && commands_[line.command].enabled) {
      chosen_ = static_cast<std::size_t>(at);
      chosen_moved_ = true;
      return;
    }
  }
}

void MenuBar::step_menu(int by) {
  const auto count = static_cast<int>(kMenus);
  open_menu_ = static_cast<Menu>((static_cast<int>(*open_menu_) + by + count) % count);
  chosen_ = SIZE_MAX;
}

void MenuBar::handle_keys(const PanelContext& context) {
  const Keys& keys = context.keys;
  if (keys.typed({Key::Down})) step(1);
  if (keys.typed({Key::Up})) step(-1);
  if (keys.typed({Key::Right})) step_menu(1);
  if (keys.typed({Key::Left})) step_menu(-1);
  if (keys.pressed({Key::Home})) chosen_ = SIZE_MAX, step(1);
  if (keys.pressed({Key::End})) chosen_ = SIZE_MAX, step(-1);
  if ((keys.pressed({Key::Enter}) || keys.pressed({Key::Space})) && chosen_ < lines_.size()) run(context, chosen_);
}

std::string MenuBar::chosen_id() const {
  const bool any = chosen_ < lines_.size() && lines_[chosen_].command != SIZE_MAX;
  return any ? commands_[lines_[chosen_].command].id : std::string();
}

void MenuBar::choose(std::string_view id) {
  const auto has_id = [&](const Line& line) { return line.command != SIZE_MAX && commands_[line.command].id == id; };
  const auto found = std::ranges::find_if(lines_, has_id);
  chosen_ = found == lines_.end() ? SIZE_MAX : static_cast<std::size_t>(found - lines_.begin());
}

void MenuBar::run(const PanelContext& context, std::size_t line) {
  if (lines_[line].command == SIZE_MAX) return;
  const ListedCommand& command = commands_[lines_[line].command];
  if (!command.enabled) return;
  context.push(command::ToggleMenus{});
  context.push(command::NoteCommand{command.id});
  context.commands.push(command.command);
}

void MenuBar::draw_menu(const PanelContext& context, const Area& bar, const Area& whole) {
  places_.clear();
  chosen_title_.clear();
  if (!open_ || !open_menu_) return;
  const Theme& theme = context.theme;
  const float pad = theme.px(kMenuPadding);
  const std::string chosen = chosen_id();
  commands_ = command_list(command_scene(context.workspace));
  const float tabs = compact_ ? ImGui::GetFrameHeight() + pad : 0;
  const Area room{whole.x, bar.y + bar.height, whole.width - 2 * pad, whole.height - bar.height - pad - tabs};
  const Menu before = *open_menu_;
  arrange(context, room);
  choose(chosen);  // while files are read, panels appear above the line
  handle_keys(context);
  if (*open_menu_ != before) arrange(context, room);
  const bool shield_clicked = draw_shield("around the menus", {whole.x, bar.y + bar.height, whole.width, whole.height - bar.height});
  float width = column_width_ * static_cast<float>(columns_) + 2 * pad;
  if (compact_) width = std::max(width, std::min(whole.width, theme.px(460)));
  const float height = std::min(height_ + 2 * pad + tabs, whole.height - bar.height);
  const float x = std::clamp(button_x_[compact_ ? 0 : static_cast<std::size_t>(*open_menu_)], whole.x, std::max(whole.x, whole.x + whole.width - width));
  ImGui::SetNextWindowPos({x, bar.y + bar.height});
  ImGui::SetNextWindowSize({width, height});
  if (std::exchange(appears_, false)) ImGui::SetNextWindowFocus();  // doing this in each frame would take clicks from the buttons
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad, pad});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::Begin("menu", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  const bool over = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (compact_) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(5), ImGui::GetStyle().FramePadding.y});
    for (std::size_t m = 0; m < kMenus; ++m) {
      if (button(context, name(static_cast<Menu>(m)).data(), static_cast<std::size_t>(*open_menu_) == m, true)) {
        open_menu_ = static_cast<Menu>(m);
        chosen_ = SIZE_MAX;
      }
      ImGui::SameLine(0, theme.px(2));
    }
    ImGui::PopStyleVar();
    ImGui::NewLine();
  }
  const ImVec2 start = ImGui::GetCursorPos();
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    ImGui::SetCursorPos({start.x + column_width_ * static_cast<float>(lines_[i].column), start.y + (compact_ ? pad : 0) + lines_[i].y});
    draw_line(context, i, ImGui::GetCursorScreenPos(), column_width_ - pad);
  }
  chosen_moved_ = false;
  ImGui::End();
  ImGui::PopStyleVar(2);
  const bool elsewhere = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !over && !over_button_;
  if (shield_clicked || elsewhere) context.push(command::ToggleMenus{});
}

void MenuBar::draw_line(const PanelContext& context, std::size_t index, ImVec2 at, float width) {
  const Theme& theme = context.theme;
  const Line& line = lines_[index];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float row = std::floor(ImGui::GetFontSize() + theme.px(2 * kMenuRow)), y = at.y + theme.px(kMenuRow), dot_room = theme.px(kDotRoom);
  if (line.command == SIZE_MAX) {
    ImGui::Dummy({width, row});
    draw_text(list, {at.x + theme.px(2), y}, theme.text_dim, line.title);
    const float x = at.x + theme.px(2) + text_width(line.title) + theme.px(6), middle = std::floor(at.y + row / 2);
    list.AddLine({x, middle}, {at.x + width, middle}, theme.border);
    return;
  }
  const ListedCommand& command = commands_[line.command];
  ImGui::PushID(command.id.c_str());
  const bool clicked = ImGui::InvisibleButton("line", {width, row});
  ImGui::PopID();
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (ImGui::IsItemHovered() && command.enabled && (moved.x != 0 || moved.y != 0)) chosen_ = index;
  places_.emplace_back(line.title, ImVec2{at.x + width / 2, at.y + row / 2});
  if (chosen_ == index) {
    list.AddRectFilled(at, {at.x + width, at.y + row}, theme.accent_soft, theme.px(3));
    chosen_title_ = command.title;
    if (chosen_moved_) ImGui::SetScrollHereY(0.5f);
  }
  const Rgba color = command.enabled ? theme.text : theme.text_disabled;
  if (command.on) list.AddCircleFilled({at.x + dot_room / 2, at.y + row / 2}, theme.px(3), color);
  const float keys = command.keys.empty() ? 0 : text_width(command.keys);
  draw_text_fitted(list, {at.x + dot_room, y}, width - dot_room - keys - theme.px(6), color, line.title);
  if (keys > 0) draw_text(list, {at.x + width - keys - theme.px(4), y}, command.enabled ? theme.text_dim : theme.text_disabled, command.keys);
  if (clicked) run(context, index);
}

std::optional<ImVec2> MenuBar::place_of(std::string_view text) const {
  for (const auto* places : {&places_, &buttons_}) {
    for (const auto& [title, at] : *places) {
      if (title == text) return at;
    }
  }
  return std::nullopt;
}

}  // namespace tv

#include "ui/panels/start_page_panel.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/bar.h"
#include "ui/widgets/text.h"

namespace tv {
namespace {

constexpr float kWidestPage = 1180, kTwoColumns = 900, kRoom = 28, kSmallRoom = 12;
constexpr float kLeftShare = 0.56f, kDash = 6;

void dashed_line(ImDrawList& list, ImVec2 from, ImVec2 to, Rgba color, float dash) {
  const float length = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y));
  const ImVec2 along{(to.x - from.x) / std::max(length, 1.0f), (to.y - from.y) / std::max(length, 1.0f)};
  for (float at = 0; at < length; at += 2 * dash) {
    const float end = std::min(at + dash, length);
    list.AddLine({from.x + along.x * at, from.y + along.y * at}, {from.x + along.x * end, from.y + along.y * end}, color);
  }
}

void dashed_box(ImDrawList& list, ImVec2 low, ImVec2 high, Rgba color, float dash) {
  dashed_line(list, low, {high.x, low.y}, color, dash);
  dashed_line(list, {low.x, high.y}, high, color, dash);
  dashed_line(list, low, {low.x, high.y}, color, dash);
  dashed_line(list, {high.x, low.y}, high, color, dash);
}

}  // namespace

std::optional<ImVec2> StartPagePanel::place_of(std::string_view text) const {
  const auto found = std::ranges::find_if(places_, [&](const auto& place) { return place.first.find(text) != std::string::npos; });
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

void StartPagePanel::draw(const PanelContext& context, const Area& area, const StartPage& page) {
  const Theme& theme = context.theme;
  places_.clear();
  const BarWindow window("start", area, context.backdrop, theme.window);
  const bool two = area.width >= theme.px(kTwoColumns);
  const float margin = theme.px(two ? kRoom : kSmallRoom);
  const float width = std::floor(std::min(area.width - 2 * margin, theme.px(kWidestPage)));
  const float left = std::floor((area.width - width) / 2);
  ImGui::SetCursorPos({0, 0});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, theme.px(10));
  ImGui::BeginChild("page", area.size(), false, ImGuiWindowFlags_NoNav);
  ImGui::SetCursorPos({left, margin});
  ImGui::BeginGroup();
  const float first = two ? std::floor(width * kLeftShare) : width;
  draw_first(context, page, first);
  if (!two) ImGui::Dummy({0, theme.px(kSmallRoom)});
  if (two) {
    ImGui::EndGroup();
    ImGui::SetCursorPos({left + first + theme.px(kRoom), margin});
    ImGui::BeginGroup();
  }
  draw_formats(context, two ? width - first - theme.px(kRoom) : width);
  ImGui::Dummy({0, theme.px(kSmallRoom)});
  draw_keys(context);
  ImGui::EndGroup();
  ImGui::Dummy({0, margin});
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

void StartPagePanel::heading(const PanelContext& context, const char* text) const {
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted(text);
  ImGui::PopStyleColor();
}

bool StartPagePanel::button(const char* title) {
  const bool pressed = ImGui::Button(title);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  places_.emplace_back(title, ImVec2{(low.x + high.x) / 2, (low.y + high.y) / 2});
  return pressed;
}

void StartPagePanel::draw_first(const PanelContext& context, const StartPage& page, float width) {
  if (page.session) draw_session(context, *page.session, width);
  draw_drop_zone(context, page, width);
  ImGui::Dummy({0, context.theme.px(kSmallRoom)});
  draw_recent(context, page, width);
}

void StartPagePanel::draw_session(const PanelContext& context, const StartPage::Session& session, float width) {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = ImGui::GetFontSize(), room = theme.px(kSmallRoom);
  const ImVec2 size{width, line * (session.crashed ? 3.6f : 2.3f) + 2 * room};
  if (ImGui::InvisibleButton("##session", size)) context.push(command::ReopenSession{});
  places_.emplace_back(session.title, ImVec2{at.x + size.x / 2, at.y + size.y / 2});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + size.x, at.y + size.y};
  list.AddRectFilled(at, end, theme.accent_soft, theme.px(6));
  list.AddRect(at, end, ImGui::IsItemHovered() ? theme.accent : theme.border, theme.px(6));
  float y = at.y + room;
  const float x = at.x + room, fits = size.x - 2 * room;
  if (session.crashed) {
    draw_text_fitted(list, {x, y}, fits, theme.warning, "The program ended without being closed. What was open is kept:");
    y += line * 1.3f;
  }
  draw_text_fitted(list, {x, y}, fits, theme.text, session.title);
  draw_text_fitted(list, {x, y + line * 1.3f}, fits, theme.text_dim, session.detail);
  ImGui::Dummy({0, room / 2});
}

void StartPagePanel::draw_drop_zone(const PanelContext& context, const StartPage& page, float width) {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos(), cursor = ImGui::GetCursorPos();
  const float line = ImGui::GetFontSize(), room = theme.px(kRoom);
  const float height = line * 1.6f + ImGui::GetFrameHeight() + 2 * room;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  dashed_box(list, at, {at.x + width, at.y + height}, theme.text_disabled, theme.px(kDash));
  constexpr std::string_view kDrop = "Drop files or folders here";
  draw_text(list, {at.x + (width - text_width(kDrop)) / 2, at.y + room}, theme.text, kDrop);
  constexpr const char* kSample = "Open the sample";
  const std::string open = "Open ...  " + text(binding(Action::Open).chord);
  const float padding = ImGui::GetStyle().FramePadding.x * 2, gap = ImGui::GetStyle().ItemSpacing.x;
  const float both = text_width(open) + padding + (page.sample.empty() ? 0 : gap + text_width(kSample) + padding);
  ImGui::SetCursorPos({cursor.x + (width - both) / 2, cursor.y + room + line * 1.6f});
  if (button(open.c_str())) context.push(command::OpenDialog{});
  if (!page.sample.empty()) {
    ImGui::SameLine();
    if (button(kSample)) context.push(command::OpenSample{});
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("A small reinforcement learning run: rollouts, a profile, the console log");
  }
  ImGui::SetCursorPos(cursor);
  ImGui::Dummy({width, height});
}

void StartPagePanel::draw_recent(const PanelContext& context, const StartPage& page, float width) {
  if (page.recent.empty()) return;
  using What = command::ChangeRecent::What;
  heading(context, "Opened last");
  const bool clearable = std::ranges::any_of(page.recent, [](const StartPage::Entry& entry) { return !entry.file.pinned; });
  if (clearable) {
    ImGui::SameLine(0, context.theme.px(kSmallRoom));
    if (ImGui::SmallButton("Clear")) context.push(command::ChangeRecent{What::Clear, {}});
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Forgets all but those that are pinned; no file is touched");
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    places_.emplace_back("Clear", ImVec2{(low.x + high.x) / 2, (low.y + high.y) / 2});
  }
  for (std::size_t i = 0; i < page.recent.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    draw_entry(context, page.recent[i], width);
    ImGui::PopID();
  }
}

void StartPagePanel::draw_entry(const PanelContext& context, const StartPage::Entry& entry, float width) {
  using What = command::ChangeRecent::What;
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos(), cursor = ImGui::GetCursorPos();
  const float line = ImGui::GetFontSize(), room = theme.px(8);
  const ImVec2 size{width, line * 2.4f + room};
  ImGui::SetItemAllowOverlap();
  const bool opened = ImGui::InvisibleButton("##entry", size);
  ImGui::SetItemAllowOverlap();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = ImGui::IsWindowHovered() && Area{at.x, at.y, size.x, size.y}.contains(mouse);
  places_.emplace_back(entry.name, ImVec2{at.x + room, at.y + size.y / 2});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (over) list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, theme.panel, theme.px(4));

  const char* const pin = entry.file.pinned ? "Unpin" : "Pin";
  const float padding = ImGui::GetStyle().FramePadding.x * 2, gap = ImGui::GetStyle().ItemSpacing.x;
  const float buttons = text_width(pin) + text_width("Remove") + 2 * padding + gap;
  const std::string facts = entry.file.pinned ? "pinned" + std::string(entry.facts.empty() ? "" : ", ") + entry.facts : entry.facts;
  const float right = over ? buttons : std::min(std::ceil(text_width(facts)) + 1, size.x / 2);
  const float fits = size.x - right - 3 * room;
  const Rgba color = entry.missing ? theme.text_disabled : theme.text;
  draw_text_fitted(list, {at.x + room, at.y + room / 2}, fits, color, entry.name);
  draw_text_fitted(list, {at.x + room, at.y + room / 2 + line * 1.2f}, fits, entry.missing ? theme.text_disabled : theme.text_dim,
                   over ? entry.folder + "   " + facts : entry.folder);
  if (!over) {
    draw_text_fitted(list, {at.x + size.x - right - room, at.y + room / 2}, right, entry.missing ? theme.text_disabled : theme.text_dim, facts);
  } else {
    ImGui::SetCursorPos({cursor.x + size.x - buttons - room, cursor.y + (size.y - ImGui::GetFrameHeight()) / 2});
    if (button(pin)) context.push(command::ChangeRecent{entry.file.pinned ? What::Unpin : What::Pin, entry.file.paths});
    ImGui::SameLine();
    if (button("Remove")) context.push(command::ChangeRecent{What::Remove, entry.file.paths});
  }
  if (opened) context.push(command::OpenPaths{entry.file.paths, false});
  ImGui::SetCursorPos(cursor);
  ImGui::Dummy(size);
}

void StartPagePanel::draw_formats(const PanelContext& context, float width) const {
  const Theme& theme = context.theme;
  heading(context, "What it reads");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = std::floor(ImGui::GetFontSize() * 1.3f), files_x = std::floor(width * 0.5f);
  for (const FormatExample& example : StartPage::formats()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text_fitted(list, at, files_x - theme.px(8), theme.text, example.what);
    std::string_view files = example.files;
    float height = 0;
    while (!files.empty()) {
      const std::string_view file = files.substr(0, files.find('\n'));
      files.remove_prefix(std::min(files.size(), file.size() + 1));
      draw_text_fitted(list, {at.x + files_x, at.y + height}, width - files_x, theme.text_dim, file);
      height += line;
    }
    ImGui::Dummy({width, height - ImGui::GetStyle().ItemSpacing.y + theme.px(4)});
  }
  ImGui::PushStyleColor(ImGuiCol_Text, theme.text_dim);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::TextUnformatted(StartPage::wrapped_formats().data(), StartPage::wrapped_formats().data() + StartPage::wrapped_formats().size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void StartPagePanel::draw_keys(const PanelContext& context) const {
  heading(context, "Keys");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float keys_width = context.theme.px(110);
  for (const KeyLine& key : first_keys()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(list, at, context.theme.text, key.keys);
    draw_text(list, {at.x + keys_width, at.y}, context.theme.text_dim, key.title);
    ImGui::Dummy({keys_width + text_width(key.title), ImGui::GetFontSize()});
  }
}

}  // namespace tv

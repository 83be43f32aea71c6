#include "ui/panels/boxes/start_page_panel.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/bar.h"
#include "ui/widgets/named_places.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kWidestPage = 1180, kTwoColumnPage = 900, kRoom = 28, kSmallRoom = 12;
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
  take_keys(context, page);
  places_.clear();
  items_.clear();
  const BarWindow window("start", area, context.backdrop, theme.window);
  const bool two = area.width >= theme.px(kTwoColumnPage);
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
  focus_moved_ = chosen_ = false;
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

void StartPagePanel::heading(const PanelContext& context, const char* text) const {
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted(text);
  ImGui::PopStyleColor();
}

// Keys do nothing while something lies over the page.
void StartPagePanel::take_keys(const PanelContext& context, const StartPage& page) {
  const Workspace& workspace = context.workspace;
  const Keys& keys = context.keys;
  if (workspace.state().boxes.dialog || workspace.state().boxes.help || context.over_the_rest || workspace.state().command_use.covers() || keys.text_input_active()) return;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) focus_.clear();
  if (keys.typed({Key::Tab}) || keys.typed({Key::Right})) step(1, true);
  if (keys.typed({Key::Tab, kShift}) || keys.typed({Key::Left})) step(-1, true);
  if (keys.typed({Key::Down})) step(1, false);
  if (keys.typed({Key::Up})) step(-1, false);
  if (keys.pressed({Key::Home})) focus_.clear(), step(1, false);
  if (keys.pressed({Key::End})) focus_.clear(), step(-1, false);
  chosen_ = !focus_.empty() && (keys.pressed({Key::Enter}) || keys.pressed({Key::Space}));
  if (!focus_.starts_with("entry ")) return;
  const std::size_t at = std::stoul(focus_.substr(6));
  if (at >= page.recent.size()) return;
  using What = command::ChangeRecent::What;
  const RecentFile& file = page.recent[at].file;
  if (keys.pressed({Key::Delete})) context.push(command::ChangeRecent{What::Remove, file.paths});
  if (keys.pressed({Key::P})) context.push(command::ChangeRecent{file.pinned ? What::Unpin : What::Pin, file.paths});
}

// Tab stops at the buttons of an entry; the arrows up and down skip them.
void StartPagePanel::step(int by, bool over_buttons) {
  const auto count = static_cast<int>(items_.size());
  const auto found = std::ranges::find(items_, focus_);
  int at = found == items_.end() ? (by > 0 ? -1 : count) : static_cast<int>(found - items_.begin());
  for (int tries = 0; tries < count; ++tries) {
    at = (at + by + count) % count;
    const std::string& id = items_[static_cast<std::size_t>(at)];
    if (!over_buttons && (id.starts_with("pin ") || id.starts_with("remove "))) continue;
    focus_ = id;
    focus_moved_ = true;
    return;
  }
}

// Makes ImGui's last item reachable by keyboard. Returns whether the mouse or the keyboard activates it.
bool StartPagePanel::item(const PanelContext& context, std::string id, bool clicked) {
  const bool here = id == focus_;
  if (here) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float out = context.theme.px(2);
    ImGui::GetWindowDrawList()->AddRect({low.x - out, low.y - out}, {high.x + out, high.y + out}, context.theme.accent, context.theme.px(5),
                                        0, context.theme.px(2));
    if (focus_moved_) ImGui::SetScrollHereY(0.5f);
  }
  items_.push_back(std::move(id));
  return clicked || (here && chosen_);
}

bool StartPagePanel::button(const PanelContext& context, std::string id, const char* title) {
  const bool pressed = item(context, std::move(id), ImGui::Button(title));
  places_.emplace_back(title, middle_of_item());
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
  const bool clicked = ImGui::InvisibleButton("##session", size);
  const bool over = ImGui::IsItemHovered();
  if (item(context, "session", clicked)) context.push(command::ReopenSession{});
  places_.emplace_back(session.title, ImVec2{at.x + size.x / 2, at.y + size.y / 2});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + size.x, at.y + size.y};
  list.AddRectFilled(at, end, theme.accent_soft, theme.px(6));
  list.AddRect(at, end, over ? theme.accent : theme.border, theme.px(6));
  float y = at.y + room;
  const float x = at.x + room, fits = size.x - 2 * room;
  if (session.crashed) {
    draw_text_fitted(list, {x, y}, fits, theme.warning, "traceview did not close normally. You can reopen what was open:");
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
  // The zone is larger if nothing is drawn below it.
  const float around = page.recent.empty() && !page.session ? 3 * room : room;
  const float height = line * 3.2f + ImGui::GetFrameHeight() + 2 * around;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  dashed_box(list, at, {at.x + width, at.y + height}, theme.text_disabled, theme.px(kDash));
  constexpr std::string_view kDrop = "Drop files or folders here";
  draw_text(list, {at.x + (width - text_width(kDrop)) / 2, at.y + around}, theme.text, kDrop);
  const std::string_view what = StartPage::what();
  const float what_width = std::min(text_width(what), width - theme.px(kSmallRoom));
  draw_text_fitted(list, {at.x + (width - what_width) / 2, at.y + around + line * 1.6f}, what_width + 1, theme.text_dim, what);
  constexpr const char* kFolder = "Open folder ...";
  constexpr const char* kSample = "Open the sample";
  const std::string open = "Open ..." + around_key(Action::Open, "  ", "");
  const float padding = ImGui::GetStyle().FramePadding.x * 2, gap = ImGui::GetStyle().ItemSpacing.x;
  const float both = text_width(open) + padding + gap + text_width(kFolder) + padding + (page.sample.empty() ? 0 : gap + text_width(kSample) + padding);
  ImGui::SetCursorPos({cursor.x + std::max(0.0f, (width - both) / 2), cursor.y + around + line * 3.2f});
  if (button(context, "open", open.c_str())) context.push(command::OpenDialog{});
  ImGui::SameLine();
  if (button(context, "folder", kFolder)) context.push(command::OpenDialog{.folder = true});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Opens every readable file of a folder and its subfolders, such as the steps of a run or the ranks of a profile");
  if (!page.sample.empty()) {
    ImGui::SameLine();
    if (button(context, "sample", kSample)) context.push(command::OpenSample{});
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Opens a small reinforcement learning run: rollouts, a profile and the console log");
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
    if (item(context, "clear", ImGui::SmallButton("Clear"))) context.push(command::ChangeRecent{What::Clear, {}});
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Removes all entries except pinned ones from this list. No file is deleted");
    places_.emplace_back("Clear", middle_of_item());
  }
  for (std::size_t i = 0; i < page.recent.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    draw_entry(context, page.recent[i], i, width);
    ImGui::PopID();
  }
}

void StartPagePanel::draw_entry(const PanelContext& context, const StartPage::Entry& entry, std::size_t index, float width) {
  using What = command::ChangeRecent::What;
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos(), cursor = ImGui::GetCursorPos();
  const float line = ImGui::GetFontSize(), room = theme.px(8);
  const ImVec2 size{width, line * 2.4f + room};
  ImGui::SetItemAllowOverlap();
  const std::string number = std::to_string(index);
  const bool clicked = ImGui::InvisibleButton("##entry", size);
  ImGui::SetItemAllowOverlap();
  const bool opened = item(context, "entry " + number, clicked);
  const bool focused = focus_ == "entry " + number || focus_ == "pin " + number || focus_ == "remove " + number;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = ImGui::IsWindowHovered() && Area{at.x, at.y, size.x, size.y}.contains(mouse);
  const bool buttons_shown = over || focused;
  places_.emplace_back(entry.name, ImVec2{at.x + room, at.y + size.y / 2});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (over) list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, theme.panel, theme.px(4));

  const char* const pin = entry.file.pinned ? "Unpin" : "Pin";
  const float padding = ImGui::GetStyle().FramePadding.x * 2, gap = ImGui::GetStyle().ItemSpacing.x;
  const float buttons = text_width(pin) + text_width("Remove") + 2 * padding + gap;
  const std::string facts = entry.file.pinned ? "pinned" + std::string(entry.facts.empty() ? "" : ", ") + entry.facts : entry.facts;
  const float right = buttons_shown ? buttons : std::min(std::ceil(text_width(facts)) + 1, size.x / 2);
  const float fits = size.x - right - 3 * room;
  const Rgba color = entry.missing ? theme.text_disabled : theme.text;
  draw_text_fitted(list, {at.x + room, at.y + room / 2}, fits, color, entry.name);
  draw_text_fitted(list, {at.x + room, at.y + room / 2 + line * 1.2f}, fits, entry.missing ? theme.text_disabled : theme.text_dim,
                   buttons_shown ? entry.folder + "   " + facts : entry.folder);
  if (!buttons_shown) {
    draw_text_fitted(list, {at.x + size.x - right - room, at.y + room / 2}, right, entry.missing ? theme.text_disabled : theme.text_dim, facts);
  } else {
    ImGui::SetCursorPos({cursor.x + size.x - buttons - room, cursor.y + (size.y - ImGui::GetFrameHeight()) / 2});
    if (button(context, "pin " + number, pin)) context.push(command::ChangeRecent{entry.file.pinned ? What::Unpin : What::Pin, entry.file.paths});
    ImGui::SameLine();
    if (button(context, "remove " + number, "Remove")) context.push(command::ChangeRecent{What::Remove, entry.file.paths});
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
  ImGui::Dummy({0, theme.px(kSmallRoom)});
  heading(context, "Open a whole run as one folder: all of it on one clock");
  std::string_view tree = StartPage::folder();
  const float step = ImGui::GetFontSize() * 1.2f;
  float hangs_from = 0;
  for (bool first = true; !tree.empty(); first = false) {
    std::string_view row = tree.substr(0, tree.find('\n'));
    tree.remove_prefix(std::min(tree.size(), row.size() + 1));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::size_t inside = std::min(row.find_first_not_of(' '), row.size());
    row.remove_prefix(inside);
    const float x = inside > 0 ? step : 0, middle = std::floor(at.y + line / 2 - theme.px(2));
    if (inside > 0) {  // the branch that leads to this row
      const float trunk = std::floor(at.x + step * 0.35f);
      list.AddLine({trunk, hangs_from}, {trunk, middle}, theme.text_disabled);
      list.AddLine({trunk, middle}, {at.x + step * 0.85f, middle}, theme.text_disabled);
    }
    hangs_from = inside > 0 ? middle : at.y + line;
    draw_text_fitted(list, {at.x + x, at.y}, width - x, first ? theme.text : theme.text_dim, row);
    ImGui::Dummy({width, line - ImGui::GetStyle().ItemSpacing.y});
  }
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

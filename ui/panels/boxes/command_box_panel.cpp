#include <algorithm>
#include <cmath>

#include "core/base/text/utf8.h"
#include "core/query/lane_filter.h"
#include "core/session/desk/command_scene.h"
#include "core/view/keys/keymap.h"
#include "imgui_internal.h"
#include "ui/panels/command_panels.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kBoxWidth = 640, kRowPadding = 3, kSidePadding = 10, kRowsGap = 6;
constexpr std::size_t kMostBoxRows = 16;

float box_row_height(const Theme& theme) { return std::floor(ImGui::GetFontSize() + theme.px(2 * kRowPadding)); }

// What the callback of the text box reads and writes.
struct BoxEdit {
  int steps = 0;        ///< presses of Down minus presses of Up, which the text box would otherwise swallow
  bool& cursor_to_end;  ///< the text box selects the text it already had when it gets the keyboard; typing must not replace that text
};

int edit_box(ImGuiInputTextCallbackData* data) {
  auto& edit = *static_cast<BoxEdit*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory) edit.steps += data->EventKey == ImGuiKey_UpArrow ? -1 : 1;
  if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways && edit.cursor_to_end) {
    data->ClearSelection();
    data->CursorPos = data->BufTextLen;
    edit.cursor_to_end = false;
  }
  return 0;
}

// Takes what was typed in this frame. The text box gets the keyboard only two frames after it opens, and ImGui discards the input
// of the frame in which it does.
std::string take_typed_letters() {
  std::string letters;
  for (const ImWchar letter : ImGui::GetIO().InputQueueCharacters) {
    char bytes[5] = {};
    ImTextCharToUtf8(bytes, letter);
    letters += bytes;
  }
  ImGui::GetIO().InputQueueCharacters.resize(0);
  return letters;
}

// Draws a text with the matched letters highlighted.
void draw_matched(ImDrawList& list, ImVec2 at, float width, const Theme& theme, Rgba color, std::string_view text,
                  const std::vector<std::uint32_t>& letters) {
  list.PushClipRect(at, {at.x + width, at.y + ImGui::GetFontSize() * 1.5f}, true);
  std::size_t drawn = 0;
  const auto draw_up_to = [&](std::size_t end, Rgba part_color) {
    if (end <= drawn) return;
    const std::string_view part = text.substr(drawn, end - drawn);
    draw_text(list, at, part_color, part);
    at.x += text_width(part);
    drawn = end;
  };
  for (const std::uint32_t letter : letters) {
    draw_up_to(letter, color);
    std::size_t end = letter + 1;
    while (end < text.size() && continues_utf8(text[end])) ++end;
    draw_up_to(end, theme.accent);
  }
  draw_up_to(text.size(), color);
  list.PopClipRect();
}

}  // namespace

bool draw_shield(const char* name, const Area& area) {
  ImGui::SetNextWindowPos(area.min());
  ImGui::SetNextWindowSize(area.size());
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  const bool hovered = ImGui::IsWindowHovered();
  bool clicked = false;
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right, ImGuiMouseButton_Middle}) {
    clicked |= hovered && ImGui::IsMouseClicked(button);
  }
  ImGui::End();
  ImGui::PopStyleVar();
  return clicked;
}

void CommandBoxPanel::collect_lanes(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  if (lanes_generation_ == workspace.snapshot().generation) return;
  lanes_generation_ = workspace.snapshot().generation;
  lane_rows_text_.reset();
  lines_.clear();
  lanes_.clear();
  for (std::size_t l = 0; l < workspace.trace().lanes.size(); ++l) {
    lanes_.push_back(id_at<LaneId>(l));
    std::string path = joined_path(workspace.trace(), lanes_.back());
    lines_.push_back({"lane " + path, path, true});
  }
}

// Commands are few, and whether they are available changes, so they are collected in every frame. Lanes can be many and are cached.
void CommandBoxPanel::collect(const PanelContext& context) {
  const std::vector<std::string>& recent = context.workspace.state().desk.recent_commands;
  if (open_box_ == command::OpenCommandBox::Of::Lanes) {
    collect_lanes(context);
    if (lane_rows_text_ == text_) return;
    lane_rows_text_ = text_;
    rows_ = box_rows(lines_, text_, recent);
    return;
  }
  commands_ = command_list(command_scene(context.workspace));
  lanes_generation_.reset();
  lines_.clear();
  for (const ListedCommand& listed : commands_) lines_.push_back({listed.id, listed.title, listed.enabled});
  rows_ = box_rows(lines_, text_, recent);
}

void CommandBoxPanel::draw(const PanelContext& context, const Area& below, const Area& whole) {
  const auto& wanted = context.workspace.state().command_use.box;
  const bool opened = wanted && wanted != open_box_;
  open_box_ = wanted;
  if (!open_box_) {
    rows_.clear();
    return;
  }
  if (opened) {
    text_.clear();
    chosen_ = 0;
    lanes_generation_.reset();
    has_keyboard_ = false;
  }
  take_early_text();
  collect(context);
  if (draw_shield("around the command box", {whole.x, below.y, whole.width, whole.height})) {
    context.push(command::CloseCommandBox{});
  }
  const ImVec2 rows_size = place_window(context.theme, below, whole);
  ImGui::Begin("command box", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse);
  const bool entered = edit_text(context, opened);
  draw_rows(context, rows_size.x, rows_size.y);
  if (entered) choose(context, chosen_);
  for (const Action action : {Action::CommandBox, Action::FindLane}) {
    if (!opened && context.keys.pressed(binding(action))) context.commands.push(*command_for(action));
  }
  ImGui::End();
}

// Takes the text that was typed elsewhere, or before the text box got the keyboard.
void CommandBoxPanel::take_early_text() {
  if (!begins_with_.empty()) {
    text_ = std::exchange(begins_with_, {});
    cursor_to_end_ = true;
  }
  if (has_keyboard_) return;
  if (const std::string letters = take_typed_letters(); !letters.empty()) {
    text_ += letters;
    cursor_to_end_ = true;
  }
}

// Places the box below the top bar, high enough for its rows if there is room. Returns the size of the list of rows.
ImVec2 CommandBoxPanel::place_window(const Theme& theme, const Area& below, const Area& whole) const {
  const ImVec2 padding = ImGui::GetStyle().WindowPadding;
  const float width = std::min(theme.px(kBoxWidth), whole.width * 0.94f);
  const float row = box_row_height(theme);
  const float room = whole.height - below.height - ImGui::GetFrameHeight() - theme.px(50);
  const auto shown = static_cast<float>(std::clamp<std::size_t>(rows_.size(), 1, kMostBoxRows));
  const float height = std::max(row, std::min(shown * row, std::floor(room / row) * row));
  ImGui::SetNextWindowPos({whole.x + (whole.width - width) / 2, below.y + below.height + theme.px(8)});
  ImGui::SetNextWindowSize({width, height + ImGui::GetFrameHeight() + 2 * padding.y + theme.px(kRowsGap)});
  ImGui::SetNextWindowFocus();
  return {width - 2 * padding.x, height};
}

// Draws the text box, finds the rows for its text, and lets the arrow keys move the choice. Returns whether Enter was pressed.
bool CommandBoxPanel::edit_text(const PanelContext& context, bool opened) {
  const bool of_lanes = open_box_ == command::OpenCommandBox::Of::Lanes;
  ImGui::SetNextItemWidth(-1);
  if (opened || !ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
  char buffer[256];
  text_.resize(utf8_prefix(text_, sizeof(buffer) - 1).size());
  buffer[text_.copy(buffer, sizeof(buffer) - 1)] = '\0';
  BoxEdit edit{0, cursor_to_end_};
  const bool entered = ImGui::InputTextWithHint(
      of_lanes ? "##lane" : "##command", of_lanes ? "Letters of a lane's name" : "Type what you want to do", buffer, sizeof(buffer),
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory | ImGuiInputTextFlags_CallbackAlways, edit_box, &edit);
  has_keyboard_ = ImGui::IsItemActive();
  if (text_ != buffer) {
    text_ = buffer;
    chosen_ = 0;
    collect(context);
  }
  if (!rows_.empty()) {
    const auto last = static_cast<int>(rows_.size()) - 1;
    const int to = static_cast<int>(std::min(chosen_, rows_.size() - 1)) + edit.steps;
    chosen_ = static_cast<std::size_t>(to < 0 ? last : to > last ? 0 : to);
  }
  chosen_moved_ = edit.steps != 0 || opened;
  return entered;
}

void CommandBoxPanel::draw_rows(const PanelContext& context, float width, float height) {
  const Theme& theme = context.theme;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + theme.px(kRowsGap));
  ImGui::BeginChild("rows", {width, height});
  places_.clear();
  const float row = box_row_height(theme);
  if (rows_.empty()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool of_lanes = open_box_ == command::OpenCommandBox::Of::Lanes;
    draw_text(*ImGui::GetWindowDrawList(), {at.x + theme.px(kSidePadding), at.y + theme.px(kRowPadding)}, theme.text_dim,
              of_lanes ? "No lane's name has these letters." : "No command has these letters.");
  }
  if (chosen_moved_) {
    const float top = static_cast<float>(chosen_) * row;
    if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
    if (top + row > ImGui::GetScrollY() + height) ImGui::SetScrollY(top + row - height);
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows_.size()), row);
  while (clipper.Step()) {
    for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
      const auto index = static_cast<std::size_t>(r);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::PushID(r);
      const bool clicked = ImGui::InvisibleButton("row", {ImGui::GetContentRegionAvail().x, row});
      ImGui::PopID();
      // Only a moving mouse chooses a row, because a mouse at rest must not undo the arrow keys.
      const ImVec2 moved = ImGui::GetIO().MouseDelta;
      if (ImGui::IsItemHovered() && (moved.x != 0 || moved.y != 0)) chosen_ = index;
      places_.emplace_back(lines_[rows_[index].line].text, ImVec2{at.x + width / 2, at.y + row / 2});
      draw_row(context, index, at, ImGui::GetItemRectSize().x);
      if (clicked) choose(context, index);
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void CommandBoxPanel::draw_row(const PanelContext& context, std::size_t row, ImVec2 at, float width) {
  const Theme& theme = context.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const BoxRow& found = rows_[row];
  const BoxLine& line = lines_[found.line];
  const float height = box_row_height(theme), pad = theme.px(kSidePadding);
  if (row == chosen_) list.AddRectFilled(at, {at.x + width, at.y + height}, theme.accent_soft, theme.px(3));
  const float y = at.y + theme.px(kRowPadding);
  float right = at.x + width - pad;
  if (open_box_ == command::OpenCommandBox::Of::Commands) {
    const ListedCommand& listed = commands_[found.line];
    if (!listed.keys.empty()) {
      right -= text_width(listed.keys);
      draw_text(list, {right, y}, listed.enabled ? theme.text : theme.text_disabled, listed.keys);
      right -= 2 * pad;
    }
    const std::string_view remark = !listed.enabled ? "unavailable" : found.recent ? "recent" : listed.on ? "on" : name(listed.menu);
    right -= text_width(remark);
    draw_text(list, {right, y}, theme.text_dim, remark);
    right -= pad;
  } else if (found.recent) {
    right -= text_width("recent");
    draw_text(list, {right, y}, theme.text_dim, "recent");
    right -= pad;
  }
  const Rgba color = line.enabled ? theme.text : theme.text_disabled;
  draw_matched(list, {at.x + pad, y}, right - at.x - pad, theme, color, line.text, found.letters);
}

void CommandBoxPanel::choose(const PanelContext& context, std::size_t row) {
  if (row >= rows_.size()) return;
  const BoxLine& line = lines_[rows_[row].line];
  if (!line.enabled) return;
  context.push(command::CloseCommandBox{});
  context.push(command::NoteCommand{line.id});
  if (open_box_ == command::OpenCommandBox::Of::Lanes) {
    context.push(command::RevealLane{lanes_[rows_[row].line]});
  } else {
    context.commands.push(commands_[rows_[row].line].command);
  }
}

std::optional<ImVec2> CommandBoxPanel::place_of(std::string_view text) const {
  for (const auto& [line, at] : places_) {
    if (line.find(text) != std::string::npos) return at;
  }
  return std::nullopt;
}

}  // namespace tv

#include <algorithm>
#include <cmath>

#include "core/query/lane_filter.h"
#include "core/session/desk/command_scene.h"
#include "core/view/keys/keymap.h"
#include "imgui_internal.h"
#include "ui/panels/command_panels.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kBoxWidth = 640, kRowPadding = 3, kSidePadding = 10;
constexpr std::size_t kMostBoxRows = 16;

// State of the text box while it has the keyboard.
struct BoxEdit {
  int steps = 0;     ///< Up and Down belong to the text box, which reports presses here
  bool& goes_on;     ///< letters were there before it got the keyboard: typed text is appended, not substituted
};

int edit_box(ImGuiInputTextCallbackData* data) {
  auto& edit = *static_cast<BoxEdit*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory) edit.steps += data->EventKey == ImGuiKey_UpArrow ? -1 : 1;
  if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways && edit.goes_on) {
    data->ClearSelection();
    data->CursorPos = data->BufTextLen;
    edit.goes_on = false;
  }
  return 0;
}

// Text typed before the box has the keyboard, two frames after it opens. ImGui discards the input of the frame in which a text box
// gets the keyboard.
std::string take_letters() {
  std::string letters;
  for (const ImWchar letter : ImGui::GetIO().InputQueueCharacters) {
    char bytes[5] = {};
    ImTextCharToUtf8(bytes, letter);
    letters += bytes;
  }
  ImGui::GetIO().InputQueueCharacters.resize(0);
  return letters;
}

// Highlights the letters that matched.
void draw_lit(ImDrawList& list, ImVec2 at, float width, const Theme& theme, Rgba color, std::string_view text,
              const std::vector<std::uint32_t>& letters) {
  list.PushClipRect(at, {at.x + width, at.y + ImGui::GetFontSize() * 1.5f}, true);
  std::size_t from = 0;
  const auto piece = [&](std::size_t end, Rgba of) {
    if (end <= from) return;
    const std::string_view part = text.substr(from, end - from);
    draw_text(list, at, of, part);
    at.x += text_width(part);
    from = end;
  };
  for (const std::uint32_t letter : letters) {
    piece(letter, color);
    std::size_t end = letter + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
    piece(end, theme.accent);
  }
  piece(text.size(), color);
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
  const bool over = ImGui::IsWindowHovered();
  bool clicked = false;
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right, ImGuiMouseButton_Middle}) {
    clicked |= over && ImGui::IsMouseClicked(button);
  }
  ImGui::End();
  ImGui::PopStyleVar();
  return clicked;
}

void CommandBoxPanel::collect_lanes(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  if (lanes_of_ == workspace.snapshot().generation) return;
  lanes_of_ = workspace.snapshot().generation;
  rows_of_.clear();
  lines_.clear();
  lanes_.clear();
  for (std::size_t l = 0; l < workspace.trace().lanes.size(); ++l) {
    lanes_.push_back(id_at<LaneId>(l));
    std::string path = joined_path(workspace.trace(), lanes_.back());
    lines_.push_back({"lane " + path, path, true});
  }
}

// Commands are few and collected again, as their availability changes; lanes may be many and are cached.
void CommandBoxPanel::collect(const PanelContext& context) {
  const CommandUse& use = context.workspace.state().command_use;
  if (open_ == command::OpenCommandBox::Of::Lanes) {
    collect_lanes(context);
    const std::string wanted = "lanes " + text_;
    if (rows_of_ == wanted) return;
    rows_of_ = wanted;
    rows_ = box_rows(lines_, text_, use.recent);
    return;
  }
  commands_ = command_list(command_scene(context.workspace));
  lanes_of_ = UINT64_MAX;
  lines_.clear();
  for (const ListedCommand& each : commands_) lines_.push_back({each.id, each.title, each.enabled});
  rows_ = box_rows(lines_, text_, use.recent);
}

void CommandBoxPanel::draw(const PanelContext& context, const Area& below, const Area& whole) {
  const auto& wanted = context.workspace.state().command_use.box;
  const bool opened = wanted && wanted != open_;
  open_ = wanted;
  if (!open_) {
    rows_.clear();
    return;
  }
  const Theme& theme = context.theme;
  if (opened) {
    text_.clear();
    chosen_ = 0;
    lanes_of_ = UINT64_MAX;
    has_keyboard_ = false;
  }
  if (!begins_with_.empty()) {
    text_ = std::exchange(begins_with_, {});
    goes_on_ = true;
  }
  if (const std::string letters = has_keyboard_ ? std::string() : take_letters(); !letters.empty()) {
    text_ += letters;
    goes_on_ = true;
  }
  collect(context);
  if (draw_shield("beside the command box", {whole.x, below.y, whole.width, whole.height})) {
    context.push(command::CloseCommandBox{});
  }
  const float width = std::min(theme.px(kBoxWidth), whole.width * 0.94f);
  ImGui::SetNextWindowPos({whole.x + (whole.width - width) / 2, below.y + below.height + theme.px(8)});
  const float row = std::floor(ImGui::GetFontSize() + theme.px(2 * kRowPadding));
  const float room = whole.height - below.height - ImGui::GetFrameHeight() - theme.px(50);
  const auto shown = static_cast<float>(std::clamp<std::size_t>(rows_.size(), 1, kMostBoxRows));
  const float height = std::max(row, std::min(shown * row, std::floor(room / row) * row));
  ImGui::SetNextWindowSize({width, height + ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().WindowPadding.y + theme.px(6)});
  ImGui::SetNextWindowFocus();
  ImGui::Begin("command box", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse);
  const bool of_lanes = open_ == command::OpenCommandBox::Of::Lanes;
  ImGui::SetNextItemWidth(-1);
  if (opened || !ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
  char buffer[256];
  buffer[text_.copy(buffer, sizeof(buffer) - 1)] = '\0';
  BoxEdit edit{0, goes_on_};
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
  draw_rows(context, width - 2 * ImGui::GetStyle().WindowPadding.x, height);
  if (entered) choose(context, chosen_);
  for (const Action action : {Action::CommandBox, Action::FindLane}) {
    if (!opened && context.keys.pressed(binding(action))) context.commands.push(*command_for(action));
  }
  ImGui::End();
}

void CommandBoxPanel::draw_rows(const PanelContext& context, float width, float height) {
  const Theme& theme = context.theme;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + theme.px(6));
  ImGui::BeginChild("rows", {width, height});
  places_.clear();
  const float row = std::floor(ImGui::GetFontSize() + theme.px(2 * kRowPadding));
  if (rows_.empty()) {
    draw_text(*ImGui::GetWindowDrawList(), {ImGui::GetCursorScreenPos().x + theme.px(kSidePadding), ImGui::GetCursorScreenPos().y + theme.px(kRowPadding)},
              theme.text_dim, open_ == command::OpenCommandBox::Of::Lanes ? "no lane has these letters" : "no command has these letters");
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
  const float height = std::floor(ImGui::GetFontSize() + theme.px(2 * kRowPadding)), pad = theme.px(kSidePadding);
  if (row == chosen_) list.AddRectFilled(at, {at.x + width, at.y + height}, theme.accent_soft, theme.px(3));
  const float y = at.y + theme.px(kRowPadding);
  float right = at.x + width - pad;
  if (open_ == command::OpenCommandBox::Of::Commands) {
    const ListedCommand& each = commands_[found.line];
    if (!each.keys.empty()) {
      right -= text_width(each.keys);
      draw_text(list, {right, y}, each.enabled ? theme.text : theme.text_disabled, each.keys);
      right -= 2 * pad;
    }
    const std::string_view where = !each.enabled ? "not now" : found.recent ? "used" : each.on ? "on" : name(each.menu);
    right -= text_width(where);
    draw_text(list, {right, y}, theme.text_dim, where);
    right -= pad;
  } else if (found.recent) {
    right -= text_width("used");
    draw_text(list, {right, y}, theme.text_dim, "used");
    right -= pad;
  }
  const Rgba color = line.enabled ? theme.text : theme.text_disabled;
  draw_lit(list, {at.x + pad, y}, right - at.x - pad, theme, color, line.text, found.letters);
}

void CommandBoxPanel::choose(const PanelContext& context, std::size_t row) {
  if (row >= rows_.size()) return;
  const BoxLine& line = lines_[rows_[row].line];
  if (!line.enabled) return;
  context.push(command::CloseCommandBox{});
  context.push(command::NoteCommand{line.id});
  if (open_ == command::OpenCommandBox::Of::Lanes) {
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

// The list of the file dialog: column headers, lines, and mouse actions on them.
#include <algorithm>
#include <ctime>
#include <utility>

#include "core/base/local_time.h"
#include "core/base/text/utf8.h"
#include "core/session/persistence/start_page.h"
#include "ui/panels/boxes/open_dialog.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr std::string_view kColumnTitles[] = {"Name", "Kind", "Size", "Modified"};  // by FileColumn

std::string modified_text(std::int64_t seconds) {
  if (seconds == 0) return {};
  const auto local = local_time(seconds);
  char text[32];
  if (!local) return {};
  return {text, std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &*local)};
}

}  // namespace

void OpenDialog::draw_headers(const PanelContext& context, const std::array<float, 5>& columns) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = ImGui::GetFrameHeight();
  for (std::size_t i = 0; i < std::size(kColumnTitles); ++i) {
    ImGui::SetCursorScreenPos({columns[i], at.y});
    ImGui::PushID(static_cast<int>(i));
    const auto column = static_cast<FileColumn>(i);
    const float width = columns[i + 1] - columns[i];
    if (ImGui::InvisibleButton("header", {std::max(1.0f, width), height})) browser_.sort_by(column);
    note_place(kColumnTitles[i]);
    const bool sorted = browser_.column() == column;
    const Rgba color = sorted || ImGui::IsItemHovered() ? context.theme.text : context.theme.text_dim;
    const std::string title = std::string(kColumnTitles[i]) + (sorted ? browser_.descending() ? "  v" : "  ^" : "");
    draw_text_fitted(list, {columns[i], at.y + height * 0.15f}, width, color, title);
    ImGui::PopID();
  }
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  list.AddLine({at.x, at.y + height - 1}, {columns.back(), at.y + height - 1}, context.theme.border);
}

void OpenDialog::draw_line(const PanelContext& context, std::size_t line, const std::array<float, 5>& columns) {
  const Theme& theme = context.theme;
  const FolderEntry& entry = browser_.entry(line);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImGuiIO& io = ImGui::GetIO();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = ImGui::GetFrameHeight(), gap = theme.px(10);
  ImGui::PushID(static_cast<int>(line));
  const bool clicked = ImGui::InvisibleButton("line", {columns.back() - columns.front(), height});
  note_place(entry.name);
  const bool hovered = ImGui::IsItemHovered(), double_clicked = hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const bool chosen = browser_.chosen(line), focused = line == browser_.line();
  if (chosen || focused || hovered) {
    list.AddRectFilled(low, high, chosen ? theme.accent_soft : focused ? theme.selection_fill : theme.header, theme.px(3));
  }
  if (focused) list.AddRect(low, high, theme.accent, theme.px(3));
  const float y = at.y + height * 0.13f;
  const auto cell = [&](std::size_t column, Rgba color, const std::string& text, bool align_right) {
    const float room = columns[column + 1] - columns[column] - gap;
    const float x = align_right ? columns[column] + std::max(0.0f, room - text_width(text)) : columns[column];
    draw_text_fitted(list, {x, y}, room, color, text);
  };
  cell(0, theme.text, valid_utf8(entry.name) + (entry.folder ? "/" : ""), false);
  cell(1, theme.text_dim, entry.folder ? std::string("Folder") : std::string(kind_by_name(entry.name)), false);
  cell(2, theme.text_dim, entry.folder ? std::string() : entry.bytes == 0 ? "0 B" : file_size_text(entry.bytes), true);
  cell(3, theme.text_dim, modified_text(entry.modified_s), false);
  ImGui::PopID();
  if (hovered && text_width(entry.name) > columns[1] - columns[0] - gap) ImGui::SetTooltip("%s", valid_utf8(entry.name).c_str());
  if (double_clicked) {
    enter(context, line);
  } else if (clicked && io.KeyCtrl) {
    browser_.toggle(line);
  } else if (clicked) {
    browser_.move_to(line, io.KeyShift);
    if (!entry.folder && question_ && words_of(question_->purpose).saves) name_ = entry.name;
  }
}

void OpenDialog::draw_list(const PanelContext& context) {
  const Theme& theme = context.theme;
  const float left = ImGui::GetCursorScreenPos().x, right = left + ImGui::GetContentRegionAvail().x - theme.px(14);
  const float date_width = text_width("2026-11-23 22:50") + theme.px(18), size_width = theme.px(80);
  const float kind_width = right - left > theme.px(560) ? theme.px(170) : 0;  // dropped first if there is little room
  const float date_x = right - date_width, size_x = date_x - size_width;
  const std::array<float, 5> columns = {left, size_x - kind_width, size_x, date_x, right};
  draw_headers(context, columns);
  ImGui::BeginChild("lines", {0, 0}, false, ImGuiWindowFlags_NoNav);
  const float height = ImGui::GetFrameHeight();
  page_ = std::max(1, static_cast<int>(ImGui::GetWindowHeight() / height) - 1);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  if (waiting_) {
    ImGui::TextUnformatted("Reading the folder ...");
  } else if (!browser_.error().empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme.warning);
    ImGui::TextUnformatted(browser_.error().c_str());
    ImGui::PopStyleColor();
  } else if (browser_.size() == 0) {
    ImGui::TextUnformatted(browser_.left_out() ? "Everything here is filtered out: tick \"All files\" or \"Hidden\"." : "This folder is empty.");
  }
  // While the folder is being read there are no lines, so the request to scroll waits.
  if (std::exchange(scroll_to_line_, waiting_)) {
    const float y = static_cast<float>(browser_.line()) * height, top = ImGui::GetScrollY(), room = ImGui::GetWindowHeight();
    if (y < top) ImGui::SetScrollY(y);
    if (y + height > top + room) ImGui::SetScrollY(y + height - room);
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(browser_.size()), height);
  // A double click on a line can enter another folder, which ends the list.
  const std::string folder = browser_.folder();
  while (clipper.Step()) {
    for (auto line = static_cast<std::size_t>(clipper.DisplayStart); line < static_cast<std::size_t>(clipper.DisplayEnd); ++line) {
      if (browser_.folder() == folder && line < browser_.size()) draw_line(context, line, columns);
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace tv

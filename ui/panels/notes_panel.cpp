#include "ui/panels/notes_panel.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/view/keymap.h"
#include "ui/panels/notes_colors.h"
#include "ui/widgets/text.h"

namespace tv {
namespace {

ImVec2 middle_of_note_item() {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  return {(low.x + high.x) / 2, (low.y + high.y) / 2};
}

}  // namespace

std::optional<ImVec2> NotesPanel::place_of(std::string_view what) const {
  const auto at = std::ranges::find(places_, what, &std::pair<std::string, ImVec2>::first);
  return at == places_.end() ? std::nullopt : std::optional(at->second);
}

void NotesPanel::draw(const PanelContext& context) {
  places_.clear();
  const Workspace& workspace = context.workspace;
  const std::vector<Note>& notes = workspace.notes().all();
  if (notes.empty()) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("No notes yet. %s marks the time under the mouse, %s keeps the selected time as a measured span, %s gives a name. %s "
                        "saves them with the view.",
                        text(binding(Action::AddMark).chord).c_str(), text(binding(Action::KeepSpan).chord).c_str(),
                        text(binding(Action::NameNote).chord).c_str(), text(binding(Action::SaveView).chord).c_str());
    ImGui::PopTextWrapPos();
    return;
  }
  rows_ = ordered(notes, order_);
  if (ImGui::SmallButton("Copy (TSV)")) context.push(command::CopyText{notes_tsv(notes, rows_, workspace.time_words())});
  places_.emplace_back("copy", middle_of_note_item());
  ImGui::SameLine();
  if (ImGui::SmallButton("Save view")) context.push(command::SaveView{});
  ImGui::SameLine();
  const std::string saved = workspace.view_file().empty() ? "not saved yet" : workspace.view_file();
  ImGui::TextDisabled("%s%s", saved.c_str(), workspace.notes_unsaved() && !workspace.view_file().empty() ? ", changed since" : "");
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Sortable | ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV |
                                     ImGuiTableFlags_ScrollY | ImGuiTableFlags_Resizable;
  if (!ImGui::BeginTable("notes", 5, kFlags)) return;
  const float letter = ImGui::GetFontSize();
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("##colour", ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_NoSort | ImGuiTableColumnFlags_NoResize, letter);
  ImGui::TableSetupColumn("Time", ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_DefaultSort, letter * 11);
  ImGui::TableSetupColumn("Name", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("Length", ImGuiTableColumnFlags_WidthFixed, letter * 9);
  ImGui::TableSetupColumn("##do", ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_NoSort | ImGuiTableColumnFlags_NoResize, letter * 9);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int c = 0; c < 5; ++c) {
    ImGui::TableSetColumnIndex(c);
    const char* const head = c == 0 || c == 4 ? "" : name(static_cast<NoteColumn>(c - 1)).data();
    ImGui::TableHeader(head);
    if (*head != '\0') places_.emplace_back(head, ImVec2{ImGui::GetItemRectMin().x + letter, middle_of_note_item().y});
  }
  if (const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs(); specs && specs->SpecsCount > 0) {
    const auto by = static_cast<NoteColumn>(std::clamp(specs->Specs[0].ColumnIndex - 1, 0, 2));
    order_ = {by, specs->Specs[0].SortDirection == ImGuiSortDirection_Descending};
  }
  for (std::size_t row = 0; row < rows_.size(); ++row) draw_row(context, rows_[row], row);
  ImGui::EndTable();
}

void NotesPanel::draw_row(const PanelContext& context, std::uint32_t n, std::size_t row) {
  using command::EditNote;
  const Note& note = context.workspace.notes().all()[n];
  ImGui::TableNextRow();
  ImGui::PushID(static_cast<int>(n));
  ImGui::TableSetColumnIndex(0);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float in = context.theme.px(3), side = ImGui::GetFontSize();
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + in}, {at.x + side - 2 * in, at.y + side - in}, color_of(context.theme, note.color), in);
  ImGui::TableSetColumnIndex(1);
  const std::string time = time_text(context.workspace.time_words(), note.time.begin, kMicrosecond);
  if (ImGui::Selectable(time.c_str(), context.workspace.naming() == n, ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap | ImGuiSelectableFlags_AllowDoubleClick)) {
    context.push(EditNote{EditNote::What::GoTo, n});
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) context.push(EditNote{EditNote::What::AskName, n});
  }
  places_.emplace_back(fmt::format("row {}", row), ImVec2{ImGui::GetItemRectMin().x + side, middle_of_note_item().y});
  ImGui::TableSetColumnIndex(2);
  note.name.empty() ? ImGui::TextDisabled("%s", title(note).data()) : ImGui::TextUnformatted(note.name.c_str());
  ImGui::TableSetColumnIndex(3);
  if (note.is_span()) ImGui::TextUnformatted(format_exact(note.time.length()).c_str());
  ImGui::TableSetColumnIndex(4);
  if (ImGui::SmallButton("Rename")) {
    context.push(EditNote{EditNote::What::GoTo, n});
    context.push(EditNote{EditNote::What::AskName, n});
  }
  places_.emplace_back(fmt::format("name {}", row), middle_of_note_item());
  ImGui::SameLine();
  if (ImGui::SmallButton("Delete")) context.push(EditNote{EditNote::What::Delete, n});
  places_.emplace_back(fmt::format("delete {}", row), middle_of_note_item());
  ImGui::PopID();
}

}  // namespace tv

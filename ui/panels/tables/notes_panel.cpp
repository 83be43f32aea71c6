#include "ui/panels/tables/notes_panel.h"

#include <algorithm>

#include "core/view/keys/keymap.h"
#include "ui/panels/table_commands.h"
#include "ui/widgets/named_places.h"
#include "ui/widgets/text/text.h"

namespace tv {

std::optional<ImVec2> NotesPanel::place_of(std::string_view what) const {
  const auto at = std::ranges::find(places_, what, &std::pair<std::string_view, ImVec2>::first);
  return at == places_.end() ? table_.place_of(what) : std::optional(at->second);
}

void NotesPanel::draw(const PanelContext& context) {
  places_.clear();
  const Workspace& workspace = context.workspace;
  const std::vector<Note>& notes = workspace.state().notes.all();
  if (notes.empty()) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("No notes yet. %s marks the time under the mouse, %s keeps the selected time as a measured span, %s gives a name. %s "
                        "saves them with the view.",
                        key_or_title(Action::AddMark).c_str(), key_or_title(Action::KeepSpan).c_str(),
                        key_or_title(Action::NameNote).c_str(), key_or_title(Action::SaveView).c_str());
    ImGui::PopTextWrapPos();
    return;
  }
  if (!model_ || notes_ != notes || !(style_ == workspace.state().time_style())) {
    notes_ = notes;
    style_ = workspace.state().time_style();
    model_.emplace(notes_table(notes_, style_));
    ++version_;
  }
  draw_buttons(context);
  TableLook look;
  look.file = "notes";
  look.narrow = "Rename";
  take_table(context, table_, "notes");
  const TableAction action = table_.draw("notes", *model_, version_, context.keys, context.theme, look);
  keep_table(context, table_, "notes");
  push_files(context, action);
  using command::EditNote;
  if (const auto row = action.chosen ? action.chosen : action.go ? action.go : action.narrow) {
    context.push(EditNote{EditNote::What::GoTo, *row});
  }
  if (action.narrow) context.push(EditNote{EditNote::What::AskName, *action.narrow});
}

void NotesPanel::draw_buttons(const PanelContext& context) {
  using command::EditNote;
  const Workspace& workspace = context.workspace;
  const TableSelection& selected = table_.selection();
  const auto cursor = selected.cursor();
  const bool any = cursor && *cursor < notes_.size();
  ImGui::BeginDisabled(!any);
  if (ImGui::SmallButton("Rename") && any) {
    context.push(EditNote{EditNote::What::GoTo, *cursor});
    context.push(EditNote{EditNote::What::AskName, *cursor});
  }
  places_.emplace_back("rename", middle_of_item());
  ImGui::SameLine();
  if (ImGui::SmallButton("Delete") && any) {
    // From the last one down, so that the indices of the others stay valid.
    for (std::size_t n = notes_.size(); n-- > 0;) {
      if (selected.has(n)) context.push(EditNote{EditNote::What::Delete, n});
    }
  }
  places_.emplace_back("delete", middle_of_item());
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::SmallButton("Save view")) context.push(command::SaveView{});
  ImGui::SameLine();
  const std::string saved = workspace.state().views.file.empty() ? "not saved yet" : workspace.state().views.file;
  ImGui::TextDisabled("%s%s", saved.c_str(), workspace.state().notes.unsaved() && !workspace.state().views.file.empty() ? ", changed since" : "");
}

}  // namespace tv

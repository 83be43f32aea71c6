// The command box, menus, mouse and keys, and commands that the program around the window carries out.

#include "core/session/records/problem_lines.h"
#include "core/session/workspace/workspace.h"
#include "core/view/keys/key_file.h"
#include "core/view/lanes/lane_layout.h"
#include "core/view/lists/sources_table.h"
#include "core/view/table/table_files.h"

namespace tv {
void Workspace::on(const command::RevealLane& c) {
  if (idx(c.lane) < trace().lanes.size()) show_lane(c.lane);
}

void Workspace::on(const command::ShowText& c) {
  if (c.place.source >= trace().sources.size()) return;
  state_.selection.select_text(snapshot(), c.place);
  state_.panels.show("text");
}

void Workspace::on(const command::OpenCommandBox& c) {
  state_.command_use.menus = false;
  state_.command_use.box = state_.command_use.box == c.of ? std::nullopt : std::optional(c.of);
}

void Workspace::on(const command::ToggleMenus&) {
  state_.command_use.menus = !state_.command_use.menus;
  state_.command_use.box.reset();
}

// The keys change too: chrome://tracing has keys for its mouse modes.
void Workspace::on(const command::SetMouse& c) {
  KeyChoice choice = keys_in_use();
  choice.mouse = c.preset;
  use_keys(choice);
  requests_.mouse_to_save = c.preset;
}

void Workspace::on(const command::SetMouseMode& c) {
  MouseHabit habit = mouse_habit();
  habit.mode = c.mode;
  use_mouse(habit);
  notice_ = std::string(binding(static_cast<Action>(static_cast<int>(Action::MouseSelect) + static_cast<int>(c.mode))).title);
}

void Workspace::on(const command::SetInterfaceScale& c) {
  if (c.scale > 0) apply(command::ScaleInterface{c.scale / settings_->text_size});
}

void Workspace::on(const command::ToggleHelp&) { state_.boxes.help = !state_.boxes.help; }
void Workspace::on(const command::ToggleDialog&) {}  // handled by the interface, which has the dialogs and the manual
void Workspace::on(const command::OpenManual&) {}
void Workspace::on(const command::ToggleFullScreen&) { requests_.toggle_full_screen = true; }
void Workspace::on(const command::Screenshot& c) { requests_.screenshots.push_back(c); }
void Workspace::on(const command::SaveText& c) { requests_.files.push_back(c); }

// The table has the lines of the examples, for which all files are read again.
void Workspace::on(const command::TakeProblems& c) {
  count_first("looking for the lines of the problems", [this, asked = snapshot_, save = c.save](ThreadPool&, std::stop_token stop) {
    const ProblemLines lines = problem_lines(asked->trace->sources, std::move(stop));
    const LineOfByte line_of = [&](const SourceInfo& source, std::uint64_t byte) { return line_at(lines, source, byte); };
    const ListTable table = problems_table(*asked->trace, line_of);
    std::string text = table_as_text(table, TableState(), save ? TableFormat::Csv : TableFormat::Tsv);
    return [this, save, text = std::move(text)] {
      save ? requests_.files.push_back({"problems.csv", text}) : requests_.copies.push_back(text);
    };
  });
}

void Workspace::on(const command::Quit&) { requests_.quit = true; }
void Workspace::on(const command::CloseCommandBox&) { state_.command_use.box.reset(); }
void Workspace::on(const command::NoteCommand& c) { state_.desk.note_command(c.id); }
void Workspace::on(const command::EditKeys&) { requests_.edit_keys = true; }
void Workspace::on(const command::ReopenSession& c) { requests_.user_state.push_back(c); }
void Workspace::on(const command::OpenSample& c) { requests_.user_state.push_back(c); }
void Workspace::on(const command::ChangeRecent& c) { requests_.user_state.push_back(c); }

}  // namespace tv

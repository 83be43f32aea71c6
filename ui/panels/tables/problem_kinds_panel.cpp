#include "ui/panels/tables/problem_kinds_panel.h"

#include "ui/panels/table_commands.h"

namespace tv {

void ProblemKindsPanel::draw(const PanelContext& context) {
  const Workspace& workspace = context.workspace;
  if (!model_ || generation_ != workspace.snapshot().generation) {
    generation_ = workspace.snapshot().generation;
    kinds_ = problems_by_kind(workspace.trace().sources);
    model_.emplace(problem_kinds_table(kinds_, workspace.trace().sources));
    ++version_;
  }
  TableLook look;
  look.file = "problem_kinds";
  look.nothing = "No file has a problem";
  take_table(context, table_, "problem_kinds");
  const TableAction action = table_.draw("problem_kinds", *model_, version_, context.keys, context.theme, look);
  keep_table(context, table_, "problem_kinds");
  push_files(context, action);
  const auto row = action.pressed ? action.pressed : action.go;
  if (!row) return;
  if (const auto& place = kinds_[*row].place) {
    context.push(command::ShowText{*place});
  } else {
    context.push(command::ShowPanel{"problems"});
  }
}

}  // namespace tv

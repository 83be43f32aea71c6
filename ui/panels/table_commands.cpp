#include "ui/panels/table_commands.h"

namespace tv {

void push_files(const PanelContext& context, const TableAction& action) {
  if (action.copy) context.push(command::CopyText{*action.copy});
  if (action.save) context.push(command::SaveText{action.save->name, action.save->text});
}

void take_table(const PanelContext& context, Table& table, std::string_view id) {
  const TableStates::Kept* const stored = context.workspace.state().tables.find(id);
  table.restore(stored ? &stored->state : nullptr, stored ? stored->version : 0);
}

void keep_table(const PanelContext& context, const Table& table, std::string_view id) {
  const TableStates::Kept* const stored = context.workspace.state().tables.find(id);
  const bool same = stored ? stored->state == table.state() : table.is_initial();
  if (!same) context.push(command::KeepTable{std::string(id), table.state()});
}

}  // namespace tv

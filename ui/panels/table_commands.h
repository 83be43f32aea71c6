// Turns the actions of a table into commands.
#pragma once

#include "core/view/table/table_model.h"
#include "ui/panels/panel.h"
#include "ui/widgets/table/table.h"

namespace tv {

/// Pushes the commands that copy and save the texts of the action.
void push_files(const PanelContext& context, const TableAction& action);
/// Call take_table() before a table is drawn: it applies the state that is stored under `id`, by a view or the last session. Call
/// keep_table() afterwards: it stores the user's changes.
void take_table(const PanelContext& context, Table& table, std::string_view id);
void keep_table(const PanelContext& context, const Table& table, std::string_view id);

}  // namespace tv

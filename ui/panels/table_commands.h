// Turns the actions of a table into commands.
#pragma once

#include "core/view/table/table_model.h"
#include "ui/panels/panel.h"
#include "ui/widgets/table/table.h"

namespace tv {

/// Pushes what is to be copied and saved.
void push_files(const PanelContext& context, const TableAction& action);
/// take_table(): before a table is drawn, applies the state stored under its name, from a view or the last session. keep_table():
/// afterwards, stores the user's changes.
void take_table(const PanelContext& context, Table& table, std::string_view id);
void keep_table(const PanelContext& context, const Table& table, std::string_view id);

/// A row was chosen: selects its target and brings it into sight; with `fit` it fills the view.
void push_target(const PanelContext& context, const TableTarget& target, bool fit);

}  // namespace tv

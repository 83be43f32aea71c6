// What a table of the window asks for, as commands.
#pragma once

#include "core/view/table/table_model.h"
#include "ui/panels/panel.h"
#include "ui/widgets/table/table.h"

namespace tv {

/// What is to be copied and saved.
void push_files(const PanelContext& context, const TableAction& action);
/// Before a table is drawn: what is known of it under this name, from a view or from the last time. And after it: what
/// somebody has changed in it is kept.
void take_table(const PanelContext& context, Table& table, std::string_view id);
void keep_table(const PanelContext& context, const Table& table, std::string_view id);

/// A row was chosen: what it stands for is selected and brought into sight; with `fit` it fills the view.
void push_target(const PanelContext& context, const TableTarget& target, bool fit);

}  // namespace tv

// What tables of the window have in common: heads that order the rows by their column, and cells whose text is never
// cut without being whole in a tooltip. Between ImGui::BeginTable and EndTable, for a row that is begun. The order
// itself is core/view/table_order.h; who draws the table keeps it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/view/table_order.h"
#include "imgui.h"

namespace tv {

struct TableHead {
  std::string_view title, meaning;  ///< the second in a tooltip
  bool number = false;              ///< stands on the right, and falls at the first click
};

/// In the cell that is begun, at `column` of the order; what a click on it asks for. Where the head is: `middle`.
std::optional<TableOrder> table_head(const TableHead& head, std::size_t column, const TableOrder& order,
                                     ImVec2* middle = nullptr);
/// What the widest of its title with the mark of the order, and `widest`, takes.
float table_head_width(const TableHead& head, std::string_view widest);

/// `whole`: what the text stands for where it is shortened. A column of names shows the longest form that fits.
void table_cell(std::string_view text, bool number, const std::string* whole = nullptr);

}  // namespace tv

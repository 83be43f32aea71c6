// Heads and cells of tables: between ImGui::BeginTable and EndTable, for a row that is begun. A text that is cut is
// whole in a tooltip.
#pragma once

#include <string>
#include <string_view>

#include "imgui.h"

namespace tv {

struct TableHead {
  std::string_view title, meaning;  ///< the second in a tooltip
  bool number = false;              ///< stands on the right
  int key = 0;                      ///< of the order of rows: the first, the second; 0: none
  bool falling = false;             ///< that key
};

/// Fills the cell. True: clicked; what else is done to it, ImGui says of the last item.
bool table_head(const TableHead& head, std::size_t column);
/// What the widest of its title with the mark of the order, and `widest`, takes.
float table_head_width(std::string_view title, std::string_view widest);

/// `whole`: what the text stands for where it is shortened.
void table_cell(std::string_view text, bool number, const std::string* whole = nullptr);

}  // namespace tv

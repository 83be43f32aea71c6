// Headers and cells of tables: between ImGui::BeginTable and EndTable, for a row that is begun. A tooltip shows a cut text in full.
#pragma once

#include <string>
#include <string_view>

#include "imgui.h"

namespace tv {

struct TableHead {
  std::string_view title, meaning;  ///< `meaning` is shown in a tooltip
  bool number = false;              ///< right-aligned
  int key = 0;                      ///< 1: primary sort key, 2: secondary, 0: none
  bool falling = false;             ///< direction of that key
};

/// Fills the cell. True: clicked; for other interactions, query ImGui's last item.
bool table_head(const TableHead& head, std::size_t column);
/// The width of the title with the sort mark, or of `widest` if that is wider.
float table_head_width(std::string_view title, std::string_view widest);

/// `whole`: the full text, if `text` was shortened.
void table_cell(std::string_view text, bool number, const std::string* whole = nullptr);

}  // namespace tv

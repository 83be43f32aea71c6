// Draws headers and cells of tables. Call between ImGui::BeginTable and EndTable, within a row. A tooltip shows the full text if
// it is cut.
#pragma once

#include <string>
#include <string_view>

#include "imgui.h"

namespace tv {

struct TableHead {
  std::string_view title, meaning;  ///< `meaning` is shown in a tooltip
  bool number = false;              ///< right-aligned
  int key = 0;                      ///< 1: primary sort key, 2: secondary, 0: none
  bool falling = false;             ///< the key sorts in descending order
};

/// Draws a header into the current cell. True: it was clicked. For other interactions, query ImGui's last item.
bool table_head(const TableHead& head, std::size_t column);
/// The width of the title with the sort mark, or of `widest` if that is wider.
float table_head_width(std::string_view title, std::string_view widest);

/// `whole`: the full text, if `text` was shortened.
void table_cell(std::string_view text, bool number, const std::string* whole = nullptr);

}  // namespace tv

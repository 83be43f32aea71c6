#include "ui/widgets/table/table_columns.h"

#include <algorithm>
#include <utility>

#include "imgui.h"
#include "imgui_internal.h"

namespace tv {

void place_columns(std::span<const ShownColumn> shown, std::span<const float> widths) {
  ImGuiTable* const table = ImGui::GetCurrentContext()->CurrentTable;
  if (!table || table->ColumnsCount != static_cast<int>(shown.size())) return;
  for (std::size_t place = 0; place < shown.size(); ++place) {
    const std::size_t c = shown[place].column;
    ImGuiTableColumn& column = table->Columns[static_cast<int>(c)];
    column.DisplayOrder = static_cast<ImGuiTableColumnIdx>(place);
    table->DisplayOrderToIndex[static_cast<int>(place)] = static_cast<ImGuiTableColumnIdx>(c);
    column.IsUserEnabled = column.IsUserEnabledNextFrame = !shown[place].hidden;
    column.WidthRequest = widths[c];
    column.AutoFitQueue = 0;
  }
}

float placed_width(std::size_t column) {
  const ImGuiTable* const table = ImGui::GetCurrentContext()->CurrentTable;
  return table->Columns[static_cast<int>(column)].WidthRequest;
}

float column_edge(std::size_t column) {
  return ImGui::GetCurrentContext()->CurrentTable->Columns[static_cast<int>(column)].MaxX;
}

std::optional<std::size_t> asked_to_fit() {
  ImGuiTable* const table = ImGui::GetCurrentContext()->CurrentTable;
  const int column = table ? std::exchange(table->AutoFitSingleColumn, ImGuiTableColumnIdx{-1}) : -1;
  return column < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(column));
}

bool move_column(std::span<ShownColumn> shown, std::size_t column, bool right) {
  const auto at = std::ranges::find(shown, column, &ShownColumn::column);
  if (at == shown.end()) return false;
  auto other = at;
  do {
    if (right ? ++other == shown.end() : other-- == shown.begin()) return false;
  } while (other->hidden);
  // Hidden columns between the two keep their places.
  std::swap(*at, *other);
  return true;
}

}  // namespace tv

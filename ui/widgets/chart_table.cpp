#include "ui/widgets/chart_table.h"

#include <algorithm>

namespace tv {
namespace {

constexpr std::size_t kMostColumns = 64;   // of an ImGui table
constexpr std::size_t kRowsMeasured = 50;  // for the widths of columns

void cell(const std::string& text, bool number) {
  const char* const begin = text.c_str();
  const char* const end = begin + text.size();
  if (number) {
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(begin, end).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(room, 0.0f));
  }
  ImGui::TextUnformatted(begin, end);
}

// The titles stand over what they are of.
void headers(const ChartTable& table, std::size_t columns) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (std::size_t c = 0; c < columns; ++c) {
    ImGui::TableSetColumnIndex(static_cast<int>(c));
    cell(table.columns[c].title, table.columns[c].number);
  }
}

// ImGui's own measure goes by where text ends, which for numbers on the right is the width there was.
float column_width(const ChartTable& table, std::size_t column) {
  float width = ImGui::CalcTextSize(table.columns[column].title.c_str()).x;
  for (std::size_t r = 0; r < std::min(table.rows.size(), kRowsMeasured); ++r) {
    if (column < table.rows[r].size()) width = std::max(width, ImGui::CalcTextSize(table.rows[r][column].text.c_str()).x);
  }
  return width;
}

}  // namespace

float chart_table_width(const ChartTable& table) {
  const ImGuiStyle& style = ImGui::GetStyle();
  float width = style.ScrollbarSize;
  for (std::size_t c = 0; c < std::min(table.columns.size(), kMostColumns); ++c) {
    width += column_width(table, c) + 2 * style.CellPadding.x + 1;
  }
  return width;
}

ChartAction chart_table(const char* id, const ChartTable& table, ImVec2 size) {
  ChartAction action;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                                     ImGuiTableFlags_Resizable | ImGuiTableFlags_BordersInnerV |
                                     ImGuiTableFlags_SizingFixedFit;
  const std::size_t columns = std::min(table.columns.size(), kMostColumns);
  if (columns == 0 || !ImGui::BeginTable(id, static_cast<int>(columns), kFlags, size)) return action;
  ImGui::TableSetupScrollFreeze(0, 1);
  for (std::size_t c = 0; c < columns; ++c) {
    ImGui::TableSetupColumn(table.columns[c].title.c_str(), ImGuiTableColumnFlags_WidthFixed, column_width(table, c));
  }
  headers(table, columns);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(table.rows.size()));
  while (clipper.Step()) {
    for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
      const auto row = static_cast<std::size_t>(r);
      const bool goes = row < table.targets.size() && table.targets[row].kind != ChartTarget::Kind::None;
      ImGui::TableNextRow();
      ImGui::TableSetColumnIndex(0);
      if (goes) {
        ImGui::PushID(r);
        if (ImGui::Selectable("##row", false, ImGuiSelectableFlags_SpanAllColumns)) {
          action.clicked = table.targets[row];
          action.narrow = ImGui::GetIO().KeyCtrl;
        }
        if (ImGui::IsItemHovered()) action.hovered = table.targets[row];
        ImGui::PopID();
        ImGui::SameLine(0, 0);
      }
      for (std::size_t c = 0; c < std::min(columns, table.rows[row].size()); ++c) {
        if (ImGui::TableSetColumnIndex(static_cast<int>(c)) || c == 0)
          cell(table.rows[row][c].text, table.columns[c].number);
      }
    }
  }
  ImGui::EndTable();
  return action;
}

}  // namespace tv

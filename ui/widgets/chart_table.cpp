#include "ui/widgets/chart_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>
#include <vector>

#include "ui/widgets/table_parts.h"

namespace tv {
namespace {

constexpr std::size_t kMostColumns = 64;   // of an ImGui table
constexpr std::size_t kRowsMeasured = 50;  // for the widths of columns
constexpr float kLeastName = 8;            // of a column of names, in heights of text

// The titles stand over what they are of.
void headers(const ChartTable& table, std::size_t columns) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (std::size_t c = 0; c < columns; ++c) {
    ImGui::TableSetColumnIndex(static_cast<int>(c));
    table_cell(table.columns[c].title, table.columns[c].number);
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

// Widths with which all columns are in sight: names give way to numbers, the widest first, as far as they can be read.
std::vector<float> fitted_widths(const ChartTable& table, std::size_t columns, float room) {
  const float least = ImGui::GetFontSize() * kLeastName;
  std::vector<float> widths;
  float all = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    widths.push_back(column_width(table, c));
    all += widths.back();
  }
  while (all > room) {
    std::size_t widest = columns;
    float next = least;
    for (std::size_t c = 0; c < columns; ++c) {
      if (table.columns[c].number || widths[c] <= least) continue;
      if (widest == columns || widths[c] > widths[widest]) {
        if (widest < columns) next = std::max(next, widths[widest]);
        widest = c;
      } else {
        next = std::max(next, widths[c]);
      }
    }
    if (widest == columns) break;
    const float to = std::max(widths[widest] - (all - room), std::min(next, widths[widest] - 1));
    all -= widths[widest] - to;
    widths[widest] = to;
  }
  return widths;
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
  if (columns == 0) return action;
  // ImGui keeps widths by the table's id: in a panel of another width it is another table.
  const float room = size.x > 0 ? size.x : ImGui::GetContentRegionAvail().x;
  const float step = ImGui::GetFontSize() * 4;
  std::array<char, 64> name;
  *fmt::format_to_n(name.data(), name.size() - 1, "{}##{}", id, static_cast<int>(room / step)).out = '\0';
  if (!ImGui::BeginTable(name.data(), static_cast<int>(columns), kFlags, size)) return action;
  ImGui::TableSetupScrollFreeze(1, 1);
  const ImGuiStyle& style = ImGui::GetStyle();
  const float between = (2 * style.CellPadding.x + 1) * static_cast<float>(columns) + style.ScrollbarSize;
  const std::vector<float> widths = fitted_widths(table, columns, room - between);
  for (std::size_t c = 0; c < columns; ++c) {
    ImGui::TableSetupColumn(table.columns[c].title.c_str(), ImGuiTableColumnFlags_WidthFixed, widths[c]);
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
          table_cell(table.rows[row][c].text, table.columns[c].number, std::get_if<std::string>(&table.rows[row][c].full));
      }
    }
  }
  ImGui::EndTable();
  return action;
}

}  // namespace tv

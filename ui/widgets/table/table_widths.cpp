#include "ui/widgets/table/table_widths.h"

#include <algorithm>
#include <string>

#include "imgui.h"
#include "ui/widgets/table/table_parts.h"

namespace tv {
namespace {

constexpr std::size_t kRowsMeasured = 50;
constexpr float kLeastName = 8, kMostName = 44;  // limits for a text column, in text heights
// The first column says what a row is, so names with a common beginning must stay distinguishable, even if other columns then have
// to be scrolled.
constexpr float kLeastFirst = 18, kMostOfRoom = 0.4f;

// ImGui's own fit goes by the right end of the text, which for right-aligned numbers depends on the current width.
float measured_width(const TableModel& model, std::size_t column, std::span<const std::uint32_t> rows) {
  const TableColumn& heading = model.columns()[column];
  float width = table_head_width(heading.title, heading.widest);
  if (!heading.widest.empty()) return width;
  std::string text;
  const float around = heading.button ? 2 * ImGui::GetStyle().FramePadding.x : 0;
  for (const std::uint32_t row : rows.first(std::min(rows.size(), kRowsMeasured))) {
    model.text(row, column, text);
    width = std::max(width, ImGui::CalcTextSize(text.c_str()).x + around);
  }
  return heading.number() || heading.wraps ? width : std::min(width, ImGui::GetFontSize() * kMostName);
}

float around_columns(std::size_t columns) {
  const ImGuiStyle& style = ImGui::GetStyle();
  return (2 * style.CellPadding.x + 1) * static_cast<float>(columns) + style.ScrollbarSize;
}

}  // namespace

std::vector<float> fitted_widths(const TableModel& model, std::span<const ShownColumn> shown,
                                 std::span<const std::uint32_t> rows, float room) {
  const float least_of_all = ImGui::GetFontSize() * kLeastName;
  const float least_of_first = std::max(least_of_all, std::min(ImGui::GetFontSize() * kLeastFirst, room * kMostOfRoom));
  std::vector<float> widths(shown.size(), 0);
  std::vector<std::size_t> texts;  // columns that can be narrowed
  float all = around_columns(static_cast<std::size_t>(std::ranges::count(shown, false, &ShownColumn::hidden)));
  for (const ShownColumn& one : shown) {
    widths[one.column] = measured_width(model, one.column, rows);
    if (one.hidden) continue;
    all += one.width > 0 ? one.width * ImGui::GetFontSize() : widths[one.column];
    if (!model.columns()[one.column].number() && one.width <= 0) texts.push_back(one.column);
  }
  const auto first = std::ranges::find(shown, false, &ShownColumn::hidden);
  const auto least_of = [&](std::size_t column) {
    return first != shown.end() && column == first->column ? least_of_first : least_of_all;
  };
  while (all > room) {
    std::size_t widest = widths.size();
    float next = least_of_all;
    for (const std::size_t c : texts) {
      if (widths[c] <= least_of(c)) continue;
      if (widest == widths.size() || widths[c] > widths[widest]) {
        if (widest < widths.size()) next = std::max(next, widths[widest]);
        widest = c;
      } else {
        next = std::max(next, widths[c]);
      }
    }
    if (widest == widths.size()) break;
    const float to = std::max({widths[widest] - (all - room), std::min(next, widths[widest] - 1), least_of(widest)});
    all -= widths[widest] - to;
    widths[widest] = to;
  }
  return widths;
}

float whole_table_width(const TableModel& model) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t r = 0; r < std::min(model.rows(), kRowsMeasured); ++r) rows.push_back(r);
  const std::size_t columns = std::min(model.columns().size(), kMostTableColumns);
  float width = around_columns(columns);
  for (std::size_t c = 0; c < columns; ++c) width += measured_width(model, c, rows);
  return width;
}

}  // namespace tv

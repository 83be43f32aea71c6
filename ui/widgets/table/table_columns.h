// Sets order, width and visibility of the columns of an ImGui table from our state. ImGui can store these, but only in its own
// settings file, by the table's id. We store them with the view; ImGui only draws the columns and reports drags.
//
// This uses internal fields of ImGuiTable, which have not changed since 1.83.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/view/table/table_model.h"

namespace tv {

/// Call after the columns are set up and before the first row. `widths`: by column of the model, in pixels without padding.
void place_columns(std::span<const ShownColumn> shown, std::span<const float> widths);
/// The current width of a column, which differs from the requested one while the column's edge is dragged.
float placed_width(std::size_t column);
/// The x of a column's right edge on the screen. Call within a row.
float column_edge(std::size_t column);
/// The column whose edge was double-clicked. Call after the rows. It replaces ImGui's own fit, which goes by the end of the text;
/// that is the current width for right-aligned numbers.
std::optional<std::size_t> asked_to_fit();
/// Swaps a column with the next shown column on that side; false if there is none.
bool move_column(std::span<ShownColumn> shown, std::size_t column, bool right);

}  // namespace tv

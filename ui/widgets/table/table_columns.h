// Sets order, width and visibility of the columns of an ImGui table from our state. ImGui can store these itself, but in its own
// settings file and by the table's id. Here the state stored with the view is authoritative; ImGui only draws the columns and
// reports drags.
//
// Call these between the set-up of the columns and the first row. The fields of ImGuiTable that are used have not changed since
// 1.83.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/view/table/table_model.h"

namespace tv {

/// `widths`: by column of the model, in pixels without padding.
void place_columns(std::span<const ShownColumn> shown, std::span<const float> widths);
/// The current width; it differs from the requested one while its edge is dragged.
float placed_width(std::size_t column);
/// The x of its right edge on the screen, within a row.
float column_edge(std::size_t column);
/// The column whose edge was double-clicked, after the rows. ImGui's own fit would use the end of the text, which for right-aligned
/// numbers is the current width.
std::optional<std::size_t> asked_to_fit();
/// Moves an entry past its shown neighbour; false if there is none on that side.
bool move_column(std::span<ShownColumn> shown, std::size_t column, bool right);

}  // namespace tv

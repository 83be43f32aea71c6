// Order, width and presence of the columns of an ImGui table, as somebody else keeps them. ImGui has these too, but in
// a settings file of its own and by the table's id; here the state that is stored with the view is the only truth, and
// ImGui draws and reports what is dragged.
//
// Between the set-up of the columns and the first row. Fields of ImGuiTable that are used have been the same since 1.83.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/view/table/table_model.h"

namespace tv {

/// `widths`: by column of the model, in pixels without padding.
void place_columns(std::span<const ShownColumn> shown, std::span<const float> widths);
/// What it is now: differs from what was asked for where its edge is dragged.
float placed_width(std::size_t column);
/// Where its right edge is, on the screen; in a row.
float column_edge(std::size_t column);
/// The column whose edge was double clicked; ImGui's own measure goes by where text ends, which for numbers on the right
/// is the width there was. After the rows.
std::optional<std::size_t> asked_to_fit();
/// Moves an entry past its shown neighbour; false: there is none on that side.
bool move_column(std::span<ShownColumn> shown, std::size_t column, bool right);

}  // namespace tv

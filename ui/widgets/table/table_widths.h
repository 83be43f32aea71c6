// Default widths of the columns of a table, until the user drags them: all columns are in sight if possible. Texts give way to
// numbers, the widest first, as long as they stay readable. Pixels without padding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/view/table/table_model.h"

namespace tv {

inline constexpr std::size_t kMostTableColumns = 64;  ///< for an ImGui table

/// By column of the model, measured on its first rows as shown. `room`: includes padding and the scroll bar.
std::vector<float> fitted_widths(const TableModel& model, std::span<const ShownColumn> shown,
                                 std::span<const std::uint32_t> rows, float room);
/// The width needed to show all columns in full.
float whole_table_width(const TableModel& model);

}  // namespace tv

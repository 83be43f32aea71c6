// The widths of a table's columns until the user drags them. All columns should be in sight, so text columns get narrower, the
// widest first, as long as they stay readable. Widths are in pixels without padding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/view/table/table_model.h"

namespace tv {

inline constexpr std::size_t kMostTableColumns = 64;  ///< the limit of ImGui's tables

/// The widths by column of the model, measured on the first of the shown `rows`. `room` includes padding and the scroll bar.
std::vector<float> fitted_widths(const TableModel& model, std::span<const ShownColumn> shown,
                                 std::span<const std::uint32_t> rows, float room);
/// The width needed to show all columns in full.
float whole_table_width(const TableModel& model);

}  // namespace tv

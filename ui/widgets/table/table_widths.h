// How wide the columns of a table are where nobody has dragged them: all of them in sight if that can be; texts give
// way to numbers, the widest first, as far as they can be read. Pixels without padding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/view/table/table_model.h"

namespace tv {

inline constexpr std::size_t kMostTableColumns = 64;  ///< of an ImGui table

/// By column of the model, of its first rows as they are shown. `room`: with padding and the scroll bar.
std::vector<float> fitted_widths(const TableModel& model, std::span<const ShownColumn> shown,
                                 std::span<const std::uint32_t> rows, float room);
/// What it takes to show all columns whole.
float whole_table_width(const TableModel& model);

}  // namespace tv

// The table of a chart: only rows in sight are drawn; numbers stand on the right; a click on a row is reported.
#pragma once

#include "imgui.h"
#include "ui/widgets/chart_view.h"

namespace tv {

/// What it takes to show all columns.
float chart_table_width(const ChartTable& table);

/// Fills `size` (0: what is left of the window) and scrolls.
ChartAction chart_table(const char* id, const ChartTable& table, ImVec2 size);

}  // namespace tv

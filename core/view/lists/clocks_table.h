// The clocks of traces (core/analysis/clocks/clock_table.h) as a table of the window. Cost: O(rows).
#pragma once

#include "core/analysis/clocks/clock_table.h"
#include "core/view/table/list_table.h"

namespace tv {

ListTable clocks_list(const ClockTable& clocks);

}  // namespace tv

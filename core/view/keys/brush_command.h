// The selection that a drag on a chart makes: requests of a rollout by the fields of its axes, slices of a name by their length,
// or an area of the trace's time. The chart decides which of these. A drag with an empty brush_filter() clears the brush.
#pragma once

#include <string>

#include "core/view/chart/chart_brush.h"
#include "core/view/keys/commands.h"

namespace tv {

/// `kind`: id of the brushed chart's kind, which still shows everything.
Command brush_command(const Chart& chart, const ChartBrush& brush, const std::string& kind);

/// The brush that selects these slices, so that every chart of them shows it. None for other charts.
std::optional<ChartBrush> brush_of(const Chart& chart, const SliceBrush& slices);

}  // namespace tv

// What a drag on a chart singles out: requests of a rollout by the fields of its axes, slices of a name by how long
// they are, or an area of the trace's time. Which of them follows from the chart; nothing where it lies beside
// everything.
#pragma once

#include <string>

#include "core/view/chart/chart_brush.h"
#include "core/view/keys/commands.h"

namespace tv {

/// `kind`: the kind of chart that it is drawn on, which goes on showing all there is.
Command brush_command(const Chart& chart, const ChartBrush& brush, const std::string& kind);

/// The same for what is singled out already, so that every chart of the same shows it.
std::optional<ChartBrush> brush_of(const Chart& chart, const SliceBrush& slices);

}  // namespace tv

// The positions of the parts of a chart's picture: ranges of the axes, their labels and titles, and the plot between them. They
// are found from the outside in: title, legend and texts take their rows, labels of the axes their columns, the plot gets the rest.
#pragma once

#include "core/view/picture/chart_pen.h"

namespace tv {

/// The label at a position of an axis.
struct ChartLabel {
  double at = 0;
  std::vector<std::string> lines;
};

struct ChartAxisLabels {
  std::vector<ChartLabel> labels;
  std::vector<double> thin_lines;
  float widest = 0;       ///< px
  std::size_t lines = 0;  ///< of the label with the most lines
};

struct ChartRanges {
  ChartRange x, y, y2;
  ChartRange all_x;  ///< range of x without zoom
  bool any = false;  ///< there is something to draw
};
ChartRanges chart_ranges(const Chart& chart, const ChartFrame& frame);

/// The title of an axis, with the unit of its labels: "time (ms)" for an axis in seconds that ends at 5 ms. If labels have units of
/// their own, as on a logarithmic axis from microseconds on, the title has none.
std::string chart_axis_title(const ChartAxis& axis, ChartRange range);

/// Labels along `length` pixels. Names that are too wide are broken into two lines; if that does not suffice, only every second,
/// fifth ... name is written. Names of a vertical axis are elided to `room`.
ChartAxisLabels chart_labels_below(const ChartAxis& axis, ChartRange range, float length, const ChartPen& pen);
ChartAxisLabels chart_labels_beside(const ChartAxis& axis, ChartRange range, float length, float room,
                                    const ChartPen& pen);

/// The second axis has the colour of its series if it has only one.
Rgba chart_y2_color(const Chart& chart, const ChartPen& pen);

/// Grid, lines and labels of the axes around the picture's plot, with its scales.
void draw_chart_grid(const ChartAxisLabels& x, const ChartAxisLabels& y, const Chart& chart, ChartPen& pen);
void draw_chart_axes(const ChartAxisLabels& x, const ChartAxisLabels& y, const ChartAxisLabels& y2, const Chart& chart,
                     ChartPen& pen);

}  // namespace tv

// Draws the data of a chart between its axes, and records their hit areas for the mouse. Lines and dots are thinned if many fall on
// one pixel: each column of pixels of a line keeps its first, least, greatest and last point, and dots on the same pixel are one.
// No mark leaves the plot by more than a line's width.
#pragma once

#include "core/view/picture/chart_pen.h"
#include "core/view/picture/chart_stacks.h"

namespace tv {

inline constexpr std::size_t kChartThinFrom = 2000;  ///< points

/// A chart that is being drawn, in coordinates along and across the axis of ChartSeries::x, whichever way that lies.
struct ChartPlane {
  const Chart& chart;
  const ChartFrame& frame;
  ChartPen& pen;
  ChartSlots slots;
  std::vector<ChartBox> texts;  ///< areas taken by labels of marks

  ChartPlane(const Chart& chart_in, const ChartFrame& frame_in, ChartPen& pen_in)
      : chart(chart_in), frame(frame_in), pen(pen_in), slots(chart_slots(chart_in, frame_in)) {}

  const ChartPicture& picture() const { return pen.picture(); }
  const ChartBox& plot() const { return pen.picture().plot; }
  const ChartAxis& along_axis() const { return chart.horizontal ? chart.y : chart.x; }
  const ChartAxis& across_axis(std::size_t series) const;
  const ChartScale& along() const { return chart.horizontal ? picture().y : picture().x; }
  const ChartScale& across(std::size_t series) const;
  ChartPoint point(std::size_t series, double at, double value) const;
  /// A box from pixels along and across, clipped to the plot.
  ChartBox box(float along0, float along1, float across0, float across1) const;
  /// The colour of a series as drawn.
  Rgba color(const ChartSeries& series) const;
  void hit(const ChartBox& box, bool round, std::size_t series, std::size_t index, std::string_view value);
  ChartBox text_box(float x, float y, ChartAnchor anchor, std::string_view text) const;
  bool free(float x, float y, ChartAnchor anchor, std::string_view text) const;
  /// Text next to, above or in a mark, if the space is free and within the plot; false if not.
  bool label(float x, float y, ChartAnchor anchor, std::string_view text, Rgba color);
};

void draw_chart_cells(ChartPlane& plane);
/// Bars, boxes, and spans of categories.
void draw_chart_bars(ChartPlane& plane);
/// Bands, below lines and dots.
void draw_chart_bands(ChartPlane& plane);
void draw_chart_lines(ChartPlane& plane);

/// Least and greatest value of the cells; equal if there is at most one.
ChartRange chart_cell_range(const ChartCells& cells);

}  // namespace tv

// Draws the data of a chart between its axes, and records where the mouse hits which value. Long series are thinned: of a line,
// each column of pixels keeps the first, least, greatest and last point; of several dots on one pixel, one is drawn. No mark leaves
// the plot by more than a line's width.
#pragma once

#include "core/view/picture/chart_pen.h"
#include "core/view/picture/chart_stacks.h"

namespace tv {

inline constexpr std::size_t kChartThinFrom = 2000;  ///< series with more points are thinned

/// A chart that is being drawn. `along` is the direction of the axis of ChartSeries::x, which may be horizontal or vertical;
/// `across` is the other direction.
struct ChartPlane {
  const Chart& chart;
  const ChartFrame& frame;
  ChartPen& pen;
  ChartSlots slots;
  std::vector<ChartBox> texts;  ///< areas that labels of marks already occupy

  ChartPlane(const Chart& chart_in, const ChartFrame& frame_in, ChartPen& pen_in)
      : chart(chart_in), frame(frame_in), pen(pen_in), slots(chart_slots(chart_in, frame_in)) {}

  const ChartPicture& picture() const { return pen.picture(); }
  const ChartBox& plot() const { return pen.picture().plot; }
  const ChartAxis& along_axis() const { return chart.horizontal ? chart.y : chart.x; }
  const ChartAxis& across_axis(std::size_t series) const;
  const ChartScale& along() const { return chart.horizontal ? picture().y : picture().x; }
  const ChartScale& across(std::size_t series) const;
  ChartPoint point(std::size_t series, double at, double value) const;
  /// A box of pixels, clipped to the plot.
  ChartBox box(float along0, float along1, float across0, float across1) const;
  /// The colour in which the series is drawn.
  Rgba color(const ChartSeries& series) const;
  void hit(const ChartBox& box, bool round, std::size_t series, std::size_t index, std::string_view value);
  ChartBox text_box(float x, float y, ChartAnchor anchor, std::string_view text) const;
  /// Whether the text would lie within the plot and cover no other label.
  bool has_room(float x, float y, ChartAnchor anchor, std::string_view text) const;
  /// Draws a label next to, above or in a mark if has_room(); otherwise returns false.
  bool label(float x, float y, ChartAnchor anchor, std::string_view text, Rgba color);
};

void draw_chart_cells(ChartPlane& plane);
/// Bars, boxes, and spans of categories.
void draw_chart_bars(ChartPlane& plane);
/// Bands. Draw them before the lines and dots, which lie on top.
void draw_chart_bands(ChartPlane& plane);
void draw_chart_lines(ChartPlane& plane);

/// The values of the first and the last colour: 0 and 100 for shares, otherwise the least and the greatest value of the cells.
ChartRange chart_cell_range(const ChartCells& cells);

}  // namespace tv

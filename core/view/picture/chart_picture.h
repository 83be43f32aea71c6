// A chart at a given size: a list of shapes in pixels, back to front, and hit areas for the mouse. ui/widgets/chart_draw
// draws it and core/view/picture/chart_svg writes it, so that the window, PNG and SVG show the same.
//
// Everything lies inside the picture; shapes that are `clipped` must be clipped to the plot. x points right, y down. Any data can
// be drawn: none, one point, all equal, NaN, infinities, 0 on a logarithmic axis.
//
//   title (?)                        ■ series  ■ series        the legend, below the title when it is wide
//   y axis title        P50 3.1 s   P99 7.8 s       y2 title   names of vertical rules
//      |                                           |
//      |                 plot                      |           the box of facts in an empty corner; if there is none, the
//      |___________________________________________|           facts are in a line above the plot
//      0        5       10                                     ticks
//                  x axis title
//   note                                                       for files; in the window it is a tooltip
//
// A low picture has the titles of both axes next to the title or the legend ("↑ requests → time (s)") and no facts.
//
// Cost: O(points): 0.1 ms for a usual chart, 1 ms for 1,000 bars or cells, 3 ms for 4,096 dots. The window keeps the picture
// until chart, size, theme or view change.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/view/chart/chart.h"
#include "core/view/color/chart_palette.h"
#include "core/view/picture/chart_scale.h"
#include "core/view/words/chart_text.h"

namespace tv {

struct ChartPoint {
  float x = 0, y = 0;
  bool operator==(const ChartPoint&) const = default;
};

struct ChartBox {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;

  float width() const { return x1 - x0; }
  float height() const { return y1 - y0; }
  bool contains(float x, float y) const { return x >= x0 && x < x1 && y >= y0 && y < y1; }
  bool overlaps(const ChartBox& other) const {
    return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1;
  }
  bool operator==(const ChartBox&) const = default;
};

/// A part of the picture. Its kind determines the meaning of `box`, the points and `size`.
struct ChartShape {
  enum class Kind : std::uint8_t {
    Rect,   ///< box
    Hatch,  ///< box, filled with slanted lines `size` wide
    Line,   ///< points, joined by lines `size` wide
    Dots,   ///< points, discs of radius `size`
    Band,   ///< points, in pairs, are the sides of a filled stripe
    Text,   ///< letters in the box: a line of text as high as the box, at its left end
  };
  Kind kind = Kind::Rect;
  bool clipped = false;
  bool dashed = false;
  bool bold = false;
  Rgba color = 0;
  float size = 0;
  std::int32_t series = -1;  ///< the series whose data it shows; -1: none
  ChartBox box;
  std::uint32_t first = 0, count = 0;  ///< range in ChartPicture::points, or of bytes in letters
};

/// The hit area of a mark.
struct ChartHit {
  ChartBox box;
  bool round = false;        ///< a point in the middle of the box: the nearest one wins
  std::int32_t series = -1;  ///< -1: a cell
  std::uint32_t index = 0;   ///< index in the series' x, or of the cell
  ChartTarget target;
  std::uint32_t first = 0, count = 0;  ///< range of bytes in letters: its readout, in lines
};

struct ChartLegendEntry {
  ChartBox box;
  std::int32_t series = 0;
};

struct ChartPicture {
  float width = 0, height = 0, font = 0;
  ThemeKind theme = ThemeKind::Dark;
  std::vector<ChartShape> shapes;
  std::vector<ChartPoint> points;
  std::string letters;

  ChartBox plot;  ///< between the axes; empty if there is nothing to plot
  ChartScale x, y, y2;
  ChartRange all_x;            ///< of the x axis before any zoom
  std::vector<ChartHit> hits;  ///< back to front
  std::vector<ChartLegendEntry> legend;
  ChartBox note_mark;  ///< a square after the title; empty if there is no note, or if the note is below the picture

  /// The clip rectangle: the plot, and half a line's width around it.
  ChartBox clip() const {
    const float room = font * 0.1f;
    return {plot.x0 - room, plot.y0 - room, plot.x1 + room, plot.y1 + room};
  }
  /// The points of a line, a band or dots; none for other shapes.
  std::span<const ChartPoint> points_of(const ChartShape& shape) const {
    using Kind = ChartShape::Kind;
    const bool has = shape.kind == Kind::Line || shape.kind == Kind::Dots || shape.kind == Kind::Band;
    return has ? std::span(points).subspan(shape.first, shape.count) : std::span<const ChartPoint>();
  }
  std::string_view text(const ChartShape& shape) const {
    return std::string_view(letters).substr(shape.first, shape.count);
  }
  std::string_view text(const ChartHit& hit) const { return std::string_view(letters).substr(hit.first, hit.count); }
  /// The frontmost mark at a position; points come first, the nearest within `reach` pixels. O(hits).
  const ChartHit* hit_at(float px, float py, float reach) const;
};

/// Length of a dash in pixels; the gap after it is 0.7 of that.
inline float chart_dash(const ChartPicture& picture) { return picture.font * 0.4f; }

/// How to draw the picture.
struct ChartFrame {
  float width = 0, height = 0;  ///< pixels
  float font = 15;              ///< height of text in pixels; all distances follow from it
  ThemeKind theme = ThemeKind::Dark;
  ChartMeasure measure = {};                             ///< empty: chart_text_width
  std::optional<std::pair<double, double>> x_view = {};  ///< a part of the x axis, in its units
  std::vector<bool> hidden = {};                         ///< series that are switched off; those beyond its end are shown
  bool note_below = false;                               ///< writes the note below the picture, as files want it

  bool shows(std::size_t series) const { return series >= hidden.size() || !hidden[series]; }
};

ChartPicture chart_picture(const Chart& chart, const ChartFrame& frame);

}  // namespace tv

// Draws shapes into a picture of a chart. Text is measured and kept inside the picture. Fixed sizes are given for a font of 15
// pixels; px() scales them to the font in use.
#pragma once

#include <span>

#include "core/view/picture/chart_picture.h"

namespace tv {

enum class ChartAnchor : std::uint8_t { Left, Center, Right };

class ChartPen {
 public:
  ChartPen(ChartPicture& picture, const ChartFrame& frame);

  float font() const { return font_; }
  float line_height() const { return font_ * 1.2f; }
  float px(float size) const { return size * unit_; }
  /// A line's width: a whole number of pixels, at least one.
  float hairline() const;
  const ChartInk& ink() const { return ink_; }
  Rgba color(int number) const { return chart_color(number, picture_.theme); }
  const ChartMeasure& measure() const { return measure_; }
  float width(std::string_view text) const { return measure_(text, font_); }
  float bold_width(std::string_view text) const {
    constexpr float kBoldIsWider = 1.15f;  // of DejaVu Sans, whose bold letters are wider than those of other fonts
    return width(text) * kBoldIsWider + px(1);
  }

  /// The shapes drawn until the next call belong to this series. `clipped`: they are clipped to the plot.
  void begin_series(std::int32_t series, bool clipped);

  ChartShape& rect(const ChartBox& box, Rgba color);
  void hatch(const ChartBox& box, Rgba color);
  void line(std::span<const ChartPoint> points, Rgba color, float width, bool dashed = false);
  void dots(std::span<const ChartPoint> points, Rgba color, float radius);
  void band(std::span<const ChartPoint> sides, Rgba color);
  void frame(const ChartBox& box, Rgba color);
  /// Draws text. Its top is y; its left end, middle or right end is x. Text that would leave the picture is moved inside;
  /// text that is larger than the picture is not drawn. Returns the text's box, which is empty if nothing was drawn.
  ChartBox text(float x, float y, ChartAnchor anchor, std::string_view text, Rgba color, bool bold = false);
  /// Adds an area that the mouse can hit. The readout shows the lines that are not empty.
  void hit(const ChartBox& box, bool round, std::uint32_t index, ChartTarget target,
           std::initializer_list<std::string_view> lines);

  ChartPicture& picture() { return picture_; }

 private:
  ChartShape& add(ChartShape::Kind kind, Rgba color);
  // These append to the picture and return the index of the first element, and the count.
  std::pair<std::uint32_t, std::uint32_t> store(std::string_view letters);
  std::pair<std::uint32_t, std::uint32_t> store(std::span<const ChartPoint> points);

  ChartPicture& picture_;
  ChartMeasure measure_;
  const ChartInk& ink_;
  float font_, unit_;
  std::int32_t series_ = -1;
  bool clipped_ = false;
};

}  // namespace tv

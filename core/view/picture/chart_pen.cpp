#include "core/view/picture/chart_pen.h"

#include <algorithm>
#include <cmath>

namespace tv {

ChartPen::ChartPen(ChartPicture& picture, const ChartFrame& frame)
    : picture_(picture),
      measure_(frame.measure ? frame.measure : ChartMeasure(chart_text_width)),
      ink_(chart_ink(frame.theme)),
      font_(picture.font),
      unit_(picture.font / 15) {}

float ChartPen::hairline() const { return std::max(1.0f, std::floor(unit_ + 0.25f)); }

void ChartPen::begin_series(std::int32_t series, bool clipped) {
  series_ = series;
  clipped_ = clipped;
}

ChartShape& ChartPen::add(ChartShape::Kind kind, Rgba color) {
  ChartShape& shape = picture_.shapes.emplace_back();
  shape.kind = kind;
  shape.color = color;
  shape.series = series_;
  shape.clipped = clipped_;
  return shape;
}

std::pair<std::uint32_t, std::uint32_t> ChartPen::store(std::string_view letters) {
  const auto first = static_cast<std::uint32_t>(picture_.letters.size());
  picture_.letters += letters;
  return {first, static_cast<std::uint32_t>(letters.size())};
}

std::pair<std::uint32_t, std::uint32_t> ChartPen::store(std::span<const ChartPoint> points) {
  const auto first = static_cast<std::uint32_t>(picture_.points.size());
  picture_.points.insert(picture_.points.end(), points.begin(), points.end());
  return {first, static_cast<std::uint32_t>(points.size())};
}

ChartShape& ChartPen::rect(const ChartBox& box, Rgba color) {
  ChartShape& shape = add(ChartShape::Kind::Rect, color);
  shape.box = box;
  return shape;
}

void ChartPen::hatch(const ChartBox& box, Rgba color) {
  ChartShape& shape = add(ChartShape::Kind::Hatch, color);
  shape.box = box;
  shape.size = px(1.4f);
}

void ChartPen::line(std::span<const ChartPoint> points, Rgba color, float width, bool dashed) {
  if (points.size() < 2) return;
  ChartShape& shape = add(ChartShape::Kind::Line, color);
  std::tie(shape.first, shape.count) = store(points);
  shape.size = width;
  shape.dashed = dashed;
}

void ChartPen::dots(std::span<const ChartPoint> points, Rgba color, float radius) {
  if (points.empty()) return;
  ChartShape& shape = add(ChartShape::Kind::Dots, color);
  std::tie(shape.first, shape.count) = store(points);
  shape.size = radius;
}

void ChartPen::band(std::span<const ChartPoint> sides, Rgba color) {
  if (sides.size() < 4) return;
  ChartShape& shape = add(ChartShape::Kind::Band, color);
  std::tie(shape.first, shape.count) = store(sides);
}

void ChartPen::frame(const ChartBox& box, Rgba color) {
  const float w = hairline();
  rect({box.x0, box.y0, box.x1, box.y0 + w}, color);
  rect({box.x0, box.y1 - w, box.x1, box.y1}, color);
  rect({box.x0, box.y0 + w, box.x0 + w, box.y1 - w}, color);
  rect({box.x1 - w, box.y0 + w, box.x1, box.y1 - w}, color);
}

ChartBox ChartPen::text(float x, float y, ChartAnchor anchor, std::string_view text, Rgba color, bool bold) {
  const float wide = bold ? bold_width(text) : width(text);
  if (text.empty() || wide > picture_.width || font_ > picture_.height) return {x, y, x, y};
  const float left = anchor == ChartAnchor::Left ? x : anchor == ChartAnchor::Right ? x - wide : x - wide / 2;
  ChartShape& shape = add(ChartShape::Kind::Text, color);
  shape.box.x0 = std::clamp(std::round(left), 0.0f, picture_.width - wide);
  shape.box.y0 = std::clamp(std::round(y), 0.0f, picture_.height - font_);
  shape.box.x1 = shape.box.x0 + wide;
  shape.box.y1 = shape.box.y0 + font_;
  shape.bold = bold;
  shape.size = font_;
  std::tie(shape.first, shape.count) = store(text);
  return shape.box;
}

void ChartPen::hit(const ChartBox& box, bool round, std::uint32_t index, ChartTarget target,
                   std::initializer_list<std::string_view> lines) {
  ChartHit& hit = picture_.hits.emplace_back();
  hit.box = box;
  hit.round = round;
  hit.series = series_;
  hit.index = index;
  hit.target = target;
  hit.first = static_cast<std::uint32_t>(picture_.letters.size());
  for (const std::string_view line : lines) {
    if (line.empty()) continue;
    if (picture_.letters.size() > hit.first) picture_.letters += '\n';
    picture_.letters += line;
  }
  hit.count = static_cast<std::uint32_t>(picture_.letters.size()) - hit.first;
}

}  // namespace tv

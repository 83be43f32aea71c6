// What tests look for in a drawn chart.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/view/picture/chart_picture.h"

namespace tv::test {

/// The first fault of a picture, or empty. Shapes must be finite and inside the picture or its plot, texts must be one line, and
/// what the mouse can hit must have a size and words.
inline std::string objection(const ChartPicture& picture) {
  const auto inside = [](const ChartBox& b, const ChartBox& in) {
    return b.x0 >= in.x0 - 0.51f && b.y0 >= in.y0 - 0.51f && b.x1 <= in.x1 + 0.51f && b.y1 <= in.y1 + 0.51f;
  };
  const ChartBox all{0, 0, picture.width, picture.height};
  if (!inside(picture.plot, all)) return "plot";
  for (std::size_t i = 0; i < picture.shapes.size(); ++i) {
    const ChartShape& shape = picture.shapes[i];
    const std::string name = "shape " + std::to_string(i) + " of kind " + std::to_string(static_cast<int>(shape.kind));
    const float room = picture.font * 0.3f;
    const ChartBox around{picture.plot.x0 - room, picture.plot.y0 - room, picture.plot.x1 + room,
                          picture.plot.y1 + room};
    if (shape.kind == ChartShape::Kind::Rect || shape.kind == ChartShape::Kind::Hatch || shape.kind == ChartShape::Kind::Text) {
      if (!(shape.box.x1 >= shape.box.x0 && shape.box.y1 >= shape.box.y0)) return name + ": turned inside out";
      if (!inside(shape.box, shape.clipped ? around : all)) return name + ": outside";
    }
    if (shape.kind == ChartShape::Kind::Text) {
      if (picture.text(shape).find('\n') != std::string_view::npos) return name + ": two lines";
      continue;
    }
    if (shape.first + shape.count > picture.points.size()) return name + ": no such points";
    for (std::size_t p = shape.first; p < shape.first + shape.count; ++p) {
      const ChartPoint at = picture.points[p];
      if (!std::isfinite(at.x) || !std::isfinite(at.y)) return name + ": not a number";
      if (!inside({at.x, at.y, at.x, at.y}, shape.clipped ? around : all)) return name + ": a point outside";
    }
  }
  for (const ChartHit& hit : picture.hits) {
    if (!(hit.box.x1 > hit.box.x0 && hit.box.y1 > hit.box.y0)) return "a hit without size";
    if (picture.text(hit).empty()) return "a hit without words";
  }
  return {};
}

inline std::vector<ChartShape> texts(const ChartPicture& picture) {
  std::vector<ChartShape> found;
  std::copy_if(picture.shapes.begin(), picture.shapes.end(), std::back_inserter(found),
               [](const ChartShape& shape) { return shape.kind == ChartShape::Kind::Text; });
  return found;
}

inline const ChartShape* text(const ChartPicture& picture, std::string_view what) {
  for (const ChartShape& shape : picture.shapes) {
    if (shape.kind == ChartShape::Kind::Text && picture.text(shape) == what) return &shape;
  }
  return nullptr;
}

inline Chart line_of(std::vector<double> x, std::vector<double> y) {
  Chart chart;
  chart.id = "line";
  ChartSeries series;
  series.name = "line";
  series.x = std::move(x);
  series.y = std::move(y);
  chart.series.push_back(std::move(series));
  return chart;
}

}  // namespace tv::test

#include "ui/widgets/text/shapes.h"

#include <utility>

namespace tv {
namespace {

std::vector<DrawnShape>* drawing_record = nullptr;

}  // namespace

DrawingRecord::DrawingRecord(std::vector<DrawnShape>& shapes) : outer_(std::exchange(drawing_record, &shapes)) {}
DrawingRecord::~DrawingRecord() { drawing_record = outer_; }
bool DrawingRecord::is_recording() { return drawing_record != nullptr; }

void DrawingRecord::add(const ImDrawList& list, DrawnShape shape) {
  if (!drawing_record) return;
  const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
  shape.clip = {low.x, low.y, high.x, high.y};
  drawing_record->push_back(std::move(shape));
}

void fill_box(ImDrawList& list, ImVec2 low, ImVec2 high, Rgba color, float rounding) {
  list.AddRectFilled(low, high, color, rounding);
  DrawingRecord::add(list, {DrawnShape::Kind::Box, color, low.x, low.y, high.x, high.y, rounding});
}

void outline_box(ImDrawList& list, ImVec2 low, ImVec2 high, Rgba color, float rounding, float thickness) {
  list.AddRect(low, high, color, rounding, 0, thickness);
  DrawingRecord::add(list, {DrawnShape::Kind::Outline, color, low.x, low.y, high.x, high.y, rounding, thickness});
}

void draw_line(ImDrawList& list, ImVec2 from, ImVec2 to, Rgba color, float thickness) {
  list.AddLine(from, to, color, thickness);
  DrawingRecord::add(list, {DrawnShape::Kind::Line, color, from.x, from.y, to.x, to.y, 0, thickness});
}

void fill_triangle(ImDrawList& list, ImVec2 a, ImVec2 b, ImVec2 c, Rgba color) {
  list.AddTriangleFilled(a, b, c, color);
  DrawnShape shape{DrawnShape::Kind::Triangle, color, a.x, a.y, b.x, b.y};
  shape.x2 = c.x;
  shape.y2 = c.y;
  DrawingRecord::add(list, std::move(shape));
}

}  // namespace tv

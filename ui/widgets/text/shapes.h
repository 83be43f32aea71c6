// Draws boxes, lines and triangles with ImGui. While a DrawingRecord exists, these functions and draw_text() also record what they
// draw, in order and with the current clip rectangle, so that a vector picture agrees with the window. Of nested DrawingRecords
// only the innermost records. Not thread-safe, since only one thread draws.
#pragma once

#include <vector>

#include "core/view/timeline/timeline_svg.h"
#include "imgui.h"

namespace tv {

void fill_box(ImDrawList& list, ImVec2 low, ImVec2 high, Rgba color, float rounding = 0);
void outline_box(ImDrawList& list, ImVec2 low, ImVec2 high, Rgba color, float rounding = 0, float thickness = 1);
void draw_line(ImDrawList& list, ImVec2 from, ImVec2 to, Rgba color, float thickness = 1);
void fill_triangle(ImDrawList& list, ImVec2 a, ImVec2 b, ImVec2 c, Rgba color);

class DrawingRecord {
 public:
  explicit DrawingRecord(std::vector<DrawnShape>& shapes);
  ~DrawingRecord();
  DrawingRecord(const DrawingRecord&) = delete;
  DrawingRecord& operator=(const DrawingRecord&) = delete;

  static bool is_recording();
  /// Records a shape that the caller draws itself. The clip rectangle is taken from `list`.
  static void add(const ImDrawList& list, DrawnShape shape);

 private:
  std::vector<DrawnShape>* outer_;  // the enclosing record; null: none
};

}  // namespace tv

// Draws boxes and lines with ImGui, and also records them for vector pictures: everything drawn by these functions and by
// draw_text() while a DrawingRecord lives is recorded, in drawing order and with the current clip rectangle. So the recorded
// picture always agrees with the window. If records are nested, the innermost records. Single-threaded: only one thread draws.
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

  /// Whether anything is being recorded.
  static bool runs();
  /// Records a shape that is drawn in another way; its clip need not be set.
  static void keep(const ImDrawList& list, DrawnShape shape);

 private:
  std::vector<DrawnShape>* before_;
};

}  // namespace tv

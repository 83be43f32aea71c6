// Boxes and lines as ImGui draws them, which a picture that is no pixels can keep: what is drawn by these and by draw_text() while a
// DrawingRecord lives is written down too, in the order of drawing and with the clip rectangle of the moment. So such a picture
// cannot say anything else than the window. Of several records the innermost keeps. One thread draws.
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

  /// Whether anything is kept now.
  static bool runs();
  /// What is drawn in another way: the shape needs no clip.
  static void keep(const ImDrawList& list, DrawnShape shape);

 private:
  std::vector<DrawnShape>* before_;
};

}  // namespace tv

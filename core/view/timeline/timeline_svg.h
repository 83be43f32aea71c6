// The timeline as SVG, from the shapes that the window drew (draw_items.h, and ui/widgets/text/shapes.h): text stays text, slices
// are rectangles, folded slices are drawn in runs of equal columns. It looks as drawn by ui/gl and its shaders: edges on whole
// pixels, a pixel between slices, hatching, teeth below folded columns.
//
// The size is limited: beyond kMostRuns runs, neighbouring columns are merged, and beyond kMostNames further names are left out;
// `note` and the file say so. The same picture gives the same bytes. Cost: O(slices + columns of folded rows); 2 to 20 ms.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/view/timeline/draw_items.h"

namespace tv {

inline constexpr std::size_t kMostRuns = 40'000, kMostNames = 4'000;

/// One drawn shape, in the window's coordinates.
struct DrawnShape {
  enum class Kind : std::uint8_t {
    Box,       ///< filled
    Outline,   ///< outline of a box, half a pixel inside it, as ImGui draws it
    Line,      ///< between the centres of two pixels
    Triangle,
    Text,      ///< one line; the reader's font is squeezed into the box that the text takes in the window
    Frame,     ///< lanes, with their (0, 0) at the box's upper left corner
  };
  struct Clip {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    bool operator==(const Clip&) const = default;
  };

  Kind kind = Kind::Box;
  Rgba color = 0;
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float rounding = 0, thickness = 1;
  float x2 = 0, y2 = 0;  ///< the third corner of a triangle
  Clip clip = {};        ///< nothing is visible outside of it
  const TimelineFrame* frame = nullptr;
  std::string text = {}, title = {};  ///< for names of slices: the title is shown when the mouse is over it
};

struct TimelinePicture {
  float x = 0, y = 0, width = 0, height = 0;  ///< box of the picture in the window
  float ui_scale = 1;
  Rgba ground = 0;
  std::vector<DrawnShape> shapes;  ///< back to front
};

struct TimelineSvg {
  std::string text;
  std::string note;  ///< what was left out or simplified; empty: nothing
};

TimelineSvg timeline_svg(const TimelinePicture& picture);

}  // namespace tv

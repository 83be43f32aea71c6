// The timeline as SVG, from what the window drew (draw_items.h, and ui/widgets/text/shapes.h): text stays text, slices are rectangles, what
// is folded below a pixel is drawn in runs of equal columns. Looks as ui/gl and its shaders make it look: edges on whole pixels,
// a pixel between slices, hatching, teeth below folded columns.
//
// Sizes stay sane: beyond kMostRuns runs neighbouring columns are drawn as one,
// and beyond kMostNames the rest of the names is left out; both are said in `note`, and in the file. The same picture gives
// the same bytes. Cost: O(slices + columns of folded rows); 2 to 20 ms.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/view/timeline/draw_items.h"

namespace tv {

inline constexpr std::size_t kMostRuns = 40'000, kMostNames = 4'000;

/// One thing that was drawn, in the window's coordinates.
struct DrawnShape {
  enum class Kind : std::uint8_t {
    Box,       ///< filled
    Outline,   ///< of a box, half a pixel within it, as ImGui draws it
    Line,      ///< between the middles of two pixels
    Triangle,
    Text,      ///< one line; the box is what it takes in the window, and the reader's font is squeezed into it
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
  Clip clip = {};        ///< nothing of it is seen beyond
  const TimelineFrame* frame = nullptr;
  std::string text = {}, title = {};  ///< the title is shown when the mouse is on it: of names of slices
};

struct TimelinePicture {
  float x = 0, y = 0, width = 0, height = 0;  ///< in the window
  float ui_scale = 1;
  Rgba ground = 0;
  std::vector<DrawnShape> shapes;  ///< the later ones lie over the earlier
};

struct TimelineSvg {
  std::string text;
  std::string note;  ///< what is left out or drawn coarser; empty: nothing
};

TimelineSvg timeline_svg(const TimelinePicture& picture);

}  // namespace tv

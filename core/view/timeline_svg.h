// The timeline as SVG, from the lists that the window draws (draw_items.h): text stays text, slices are rectangles, what is
// folded below a pixel is drawn in runs of equal columns. Looks as ui/gl and its shaders make it look: edges on whole pixels,
// a pixel between slices, hatching, teeth below folded columns.
//
// All coordinates are pixels of the picture. Sizes stay sane: beyond kMostRuns runs neighbouring columns are drawn as one,
// and beyond kMostNames the rest of the names is left out; both are said in `note`, and in the file. The same picture gives
// the same bytes. Cost: O(slices + columns of folded rows); 2 to 20 ms.
#pragma once

#include <string>
#include <vector>

#include "core/view/draw_items.h"

namespace tv {

inline constexpr std::size_t kMostRuns = 40'000, kMostNames = 4'000;

struct DrawnText {
  float x = 0, y = 0;  ///< upper left corner of the line
  float size = 14;     ///< height of the line
  float width = 0;     ///< that it has in the window: the reader's font is squeezed into it
  Rgba color = 0;
  std::string text, title = {};  ///< the title is shown when the mouse is on it
};

struct DrawnBox {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  Rgba color = 0;
  float line = 0;  ///< > 0: only its outline, so thick
};

/// A frame of lanes, cut to width x height.
struct DrawnLanes {
  const TimelineFrame* frame = nullptr;
  float x = 0, y = 0, width = 0, height = 0;
  std::vector<DrawnBox> behind, front;  ///< backgrounds and grid; outlines of what is selected
  std::vector<DrawnText> names;         ///< of its slices
};

struct TimelinePicture {
  float width = 0, height = 0, ui_scale = 1;
  Rgba ground = 0;
  std::vector<DrawnLanes> lanes;
  std::vector<DrawnBox> boxes;   ///< over all lanes: ruler, names, marks
  std::vector<DrawnText> texts;  ///< over all
};

struct TimelineSvg {
  std::string text;
  std::string note;  ///< what is left out or drawn coarser; empty: nothing
};

TimelineSvg timeline_svg(const TimelinePicture& picture);

}  // namespace tv

// The plain data that make up a timeline frame: the input of the renderer, which tests can inspect. All coordinates are pixels of
// the timeline area (x to the right, y down, 0,0 = its top left corner), already clipped in double precision.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/view/color/rgba.h"

namespace tv {

enum RectStyle : std::uint32_t {
  kPlain = 0,
  kHatched = 1,      ///< unfinished, or waiting
  kClippedLeft = 2,  ///< extends beyond the left edge
  kClippedRight = 4,
  kDiamond = 8,      ///< instant: a diamond centred on x0
  kDimmed = 16,      ///< outside the current highlight
};

/// A slice at least a pixel wide.
struct RectItem {
  float x0, x1, y, height;
  Rgba color;
  std::uint32_t style;
};

/// A strip with one texel per pixel column: everything that is narrower than a pixel, summaries and counters.
struct StripItem {
  enum class Kind : std::uint32_t {
    Density,  ///< the whole column has the texel's colour; alpha is its coverage. With alpha up to kMostFolded it stands for
              ///< folded slices, and its lower edge is drawn ragged if the strip is high enough
    Area,     ///< column filled from the bottom to texel alpha / 255 of its height: summaries and counters
  };
  float y, height;
  Kind kind;
  std::uint32_t first_texel;  ///< TimelineFrame::texels[first_texel .. + width_px)
};

/// The greatest alpha of a folded column; a painted slice has 255.
inline constexpr std::uint32_t kMostFolded = 248;

/// A slice's name, to be drawn inside [x, x + width); the drawer shortens it to what fits.
struct TextItem {
  float x, y, width;
  float scale;  ///< of its letters; below 1 in rows that are slightly too low
  LabelId label;
  Rgba color;
  SliceId slice;
};

/// An arrow runs from the edge of one slice vertically to the edge of the other's row, then along that edge to the other slice. It
/// follows the edge because names are in the middle of rows.
///
///        x0,y0 of the one            x0,y0
///          │                           └──────┐ a row's edge
///          └──────────▼ x1,y1                 ▼ x1,y1
///            the other
struct ArrowItem {
  float x0, y0, x1, y1;
  Rgba color;
  SliceId from, to;
  bool down;  ///< the other slice is entered from above
};

struct FrameStats {
  std::uint64_t nodes_visited = 0;
  std::uint32_t rows = 0, rects = 0, strips = 0, texts = 0;
};

/// Everything to draw for the lanes in one frame. Reused from frame to frame: no allocation in steady state.
struct TimelineFrame {
  std::uint32_t width_px = 0;
  std::vector<StripItem> strips;
  std::vector<Rgba> texels;
  std::vector<RectItem> rects;
  std::vector<TextItem> texts;
  std::vector<ArrowItem> arrows;
  FrameStats stats;

  void clear() {
    strips.clear();
    texels.clear();
    rects.clear();
    texts.clear();
    arrows.clear();
    stats = {};
  }
};

}  // namespace tv

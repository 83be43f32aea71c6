// Turns rows with many slices into strips. A software driver then draws the same pixels at a fraction of the cost, because it needs
// most of a microsecond for a rectangle of any size (tests/bench/bench_render: 30,000 rectangles). This is possible because plain
// slices begin and end at whole pixels, so an opaque one is a run of equal texels.
//
// Applies only if a frame pixel is one framebuffer pixel; otherwise strips would be coarser than rectangles. Frames without dense
// rows are not copied, and nothing is allocated while frames stay the same size.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/view/timeline/draw_items.h"
#include "ui/gl/placement.h"

namespace tv {

/// With this many slices in a row, their rectangles cost more than a strip. (5,000 slices in 60 rows cost the same.)
inline constexpr std::size_t kDenseRow = 96;

class DenseRows {
 public:
  /// Computes what to draw for the frame. The results are valid until the next call, and only while the frame exists.
  void take(const TimelineFrame& frame, const Placement& where);

  std::span<const StripItem> strips() const { return strips_; }
  std::span<const Rgba> texels() const { return texels_; }
  std::span<const RectItem> rects() const { return rects_; }

 private:
  void replace(const TimelineFrame& frame, float gap);
  void paint_row(const TimelineFrame& frame, std::span<const RectItem> row, float gap);

  std::span<const StripItem> strips_;
  std::span<const Rgba> texels_;
  std::span<const RectItem> rects_;
  std::vector<StripItem> built_strips_;  // the frame's strips, and new ones for dense rows without a strip
  std::vector<Rgba> built_texels_;
  std::vector<RectItem> built_rects_;
  std::size_t next_strip_ = 0;  // index in the frame's strips at which the search for the next row's strip begins
};

}  // namespace tv

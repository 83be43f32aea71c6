// Rows with many slices, turned into strips: the same pixels at a fraction of the cost if the driver draws in software, which takes
// most of a microsecond for a rectangle of any size (tests/bench/bench_render: 30,000 rectangles). Slices without a style are
// opaque and begin and end at whole pixels, so each can as well be a run of texels.
//
// Used only if a frame's pixel is one pixel of the framebuffer; otherwise a strip would be coarser than rectangles. Nothing is
// copied for frames without such rows, and nothing is allocated while frames stay the same size.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/view/timeline/draw_items.h"
#include "ui/gl/placement.h"

namespace tv {

/// From this many slices in one row, their rectangles cost more than a strip (5,000 in 60 rows: equal).
inline constexpr std::size_t kDenseRow = 96;

class DenseRows {
 public:
  /// What to draw for the frame; valid until the next call and as long as the frame.
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
  std::vector<StripItem> own_strips_;  // the frame's strips, and those of dense rows that had none
  std::vector<Rgba> own_texels_;
  std::vector<RectItem> own_rects_;
  std::size_t next_strip_ = 0;  // where in the frame's strips to look for the next row's
};

}  // namespace tv

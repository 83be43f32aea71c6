// Rows with many slices, turned into strips: the same pixels at a fraction of the price where the driver draws in software, which
// takes most of a microsecond for a rectangle of any size (tests/bench/bench_render: 30,000 rectangles). Slices without a style
// are opaque and begin and end with whole pixels, so each is as well a run of texels.
//
// Only where a frame's pixel is one of the framebuffer: elsewhere a strip is coarser than rectangles are. Nothing is copied for
// frames without such rows, nothing allocated while frames stay the same size.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/view/timeline/draw_items.h"
#include "ui/gl/placement.h"

namespace tv {

/// So many slices in one row, and their rectangles cost more than a strip of their own (5,000 in 60 rows: the same).
inline constexpr std::size_t kDenseRow = 96;

class DenseRows {
 public:
  /// What is to be drawn for the frame, valid until the next call and while the frame is.
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
  std::vector<StripItem> own_strips_;  // the frame's, and those of dense rows without one
  std::vector<Rgba> own_texels_;
  std::vector<RectItem> own_rects_;
  std::size_t next_strip_ = 0;  // of the frame's: where the next row's may be
};

}  // namespace tv

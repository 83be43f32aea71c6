#include "ui/gl/dense_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tv {
namespace {

bool is_plain(const RectItem& rect) { return rect.style == kPlain; }
bool is_opaque(const RectItem& rect) { return rect.color >> 24 == 255; }

// The rectangles of a frame are ordered by row.
template <class Take>
void each_row(std::span<const RectItem> rects, Take take) {
  for (std::size_t begin = 0, end = 0; begin < rects.size(); begin = end) {
    const RectItem& first = rects[begin];
    while (end < rects.size() && rects[end].y == first.y && rects[end].height == first.height) ++end;
    take(rects.subspan(begin, end - begin));
  }
}

// A row with translucent slices is not dense: where slices are widened to a pixel, they overlap and would have to be blended.
bool is_dense(std::span<const RectItem> row) {
  if (row.size() < kDenseRow || !std::ranges::all_of(row, [](const RectItem& r) { return !is_plain(r) || is_opaque(r); })) return false;
  return static_cast<std::size_t>(std::ranges::count_if(row, is_plain)) >= kDenseRow;
}

}  // namespace

void DenseRows::take(const TimelineFrame& frame, const Placement& where) {
  strips_ = frame.strips;
  texels_ = frame.texels;
  rects_ = frame.rects;
  if (where.pixel_ratio != 1 || frame.rects.size() < kDenseRow || frame.width_px == 0) return;
  bool any = false;
  each_row(rects_, [&](std::span<const RectItem> row) { any = any || is_dense(row); });
  if (any) replace(frame, std::max(1.0f, std::floor(where.ui_scale + 0.25f)));
}

void DenseRows::replace(const TimelineFrame& frame, float gap) {
  built_strips_.assign(frame.strips.begin(), frame.strips.end());
  built_texels_.assign(frame.texels.begin(), frame.texels.end());
  built_rects_.clear();
  next_strip_ = 0;
  each_row(frame.rects, [&](std::span<const RectItem> row) {
    if (!is_dense(row)) {
      built_rects_.insert(built_rects_.end(), row.begin(), row.end());
    } else {
      paint_row(frame, row, gap);
    }
  });
  strips_ = built_strips_;
  texels_ = built_texels_;
  rects_ = built_rects_;
}

// Paints into the density strip under the row's rectangles, or into a new strip. Rounds edges as rect.vert.glsl does.
void DenseRows::paint_row(const TimelineFrame& frame, std::span<const RectItem> row, float gap) {
  const RectItem& first = row.front();
  while (next_strip_ < frame.strips.size() && frame.strips[next_strip_].y < first.y) ++next_strip_;
  const bool more = next_strip_ < frame.strips.size();
  StripItem strip = more ? frame.strips[next_strip_] : StripItem();
  if (!more || strip.y != first.y || strip.height != first.height || strip.kind != StripItem::Kind::Density) {
    strip = {first.y, first.height, StripItem::Kind::Density, static_cast<std::uint32_t>(built_texels_.size())};
    built_strips_.push_back(strip);
    built_texels_.resize(built_texels_.size() + frame.width_px, 0);
  }
  Rgba* const texels = built_texels_.data() + strip.first_texel;
  for (const RectItem& rect : row) {
    if (!is_plain(rect)) {
      built_rects_.push_back(rect);
      continue;
    }
    const float left = std::floor(rect.x0 + 0.5f);
    float right = std::max(std::floor(rect.x1 + 0.5f), left + 1);
    if (right - left > 3 * gap) right -= gap;
    const auto column = [&](float x) { return static_cast<std::size_t>(std::clamp(x, 0.0f, static_cast<float>(frame.width_px))); };
    std::fill(texels + column(left), texels + column(right), rect.color);
  }
}

}  // namespace tv

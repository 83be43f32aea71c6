// Highlights search hits, brushed slices, or slices of one name in a frame, and dims the rest.
#include <algorithm>
#include <cmath>

#include "core/query/row_search.h"
#include "core/view/timeline/timeline_frame.h"

namespace tv {
namespace {

// Mixes `part` of a colour with another colour, and keeps the alpha of the first.
Rgba toward(Rgba color, Rgba target, float part) {
  Rgba out = color & 0xff000000u;
  for (int shift = 0; shift < 24; shift += 8) {
    const auto a = static_cast<float>(color >> shift & 0xffu), b = static_cast<float>(target >> shift & 0xffu);
    out |= static_cast<Rgba>(std::lround(a * part + b * (1 - part))) << shift;
  }
  return out;
}

}  // namespace

bool FrameBuilder::dimmed(LabelId label, SliceId slice) const {
  if (params_->hits) return !params_->hits->contains(slice);
  if (params_->brushed) return !std::ranges::binary_search(*params_->brushed, slice);
  return params_->highlighted != kNone<LabelId> && label != params_->highlighted;
}

std::optional<SliceId> FrameBuilder::first_marked(std::size_t first, std::size_t end) const {
  if (params_->hits) return params_->hits->first_between(first, end);
  const auto at = std::ranges::lower_bound(*params_->brushed, id_at<SliceId>(first));
  return at != params_->brushed->end() && idx(*at) < end ? std::optional(*at) : std::nullopt;
}

std::optional<std::size_t> FrameBuilder::next_marked(const RowSlices& slices, std::size_t from) const {
  const std::size_t first = idx(slices.id(0));
  const auto marked = first_marked(first + from, first + slices.size());
  return marked ? std::optional(idx(*marked) - first) : std::nullopt;
}

void FrameBuilder::begin_marks() { marked_columns_.assign(params_->width_px, kNone<SliceId>); }

// Skips slices that begin in columns already marked, so that the cost is O(columns * log(marked slices)), however many slices a
// column has.
void FrameBuilder::mark_columns(const RowSlices& slices) {
  const std::size_t begin = first_beginning_at(slices, static_cast<Ns>(std::floor(map_.begin)));
  auto at = next_marked(slices, begin > 0 ? begin - 1 : 0);
  const auto width = static_cast<double>(params_->width_px);
  while (at) {
    const std::size_t i = *at;
    const double x0 = map_.x_of(static_cast<double>(slices.begin(i))), x1 = map_.x_of(static_cast<double>(slices.end(i)));
    if (x0 >= width) break;
    const double last = std::min(std::max(std::ceil(x1), std::floor(x0) + 1), width);
    auto x = static_cast<std::size_t>(std::max(std::floor(x0), 0.0));
    for (; static_cast<double>(x) < last; ++x) marked_columns_[x] = slices.id(i);
    while (x < marked_columns_.size() && marked_columns_[x] != kNone<SliceId>) ++x;
    if (x >= marked_columns_.size()) break;
    const auto free = static_cast<Ns>(std::ceil(map_.time_at(static_cast<double>(x))));
    std::size_t beyond = first_beginning_at(slices, free);
    if (beyond > 0 && slices.end(beyond - 1) > free) --beyond;
    at = next_marked(slices, std::max(beyond, i + 1));
  }
}

// Marks the columns of a row narrower than a pixel if any of its slices is marked.
void FrameBuilder::mark_whole(const Row& row, const WholeRow& whole) {
  const std::optional<SliceId> marked = first_marked(row.first, row.first + row.count);
  if (!marked) return;
  const double x0 = std::floor(map_.x_of(static_cast<double>(whole.extent.begin)));
  if (static_cast<double>(whole.extent.end) > map_.time_at(x0 + 1)) return mark_columns(trace_->slices_of(row));
  if (x0 >= 0 && x0 < static_cast<double>(params_->width_px)) marked_columns_[static_cast<std::size_t>(x0)] = *marked;
}

SliceId FrameBuilder::marked_in(std::size_t x) const { return marks() ? marked_columns_[x] : kNone<SliceId>; }

SliceId FrameBuilder::shown_in(std::size_t x) const {
  const SliceId marked = marked_in(x);
  return marked == kNone<SliceId> ? row_.columns[x].representative : marked;
}

Rgba FrameBuilder::folded_or_marked(std::size_t x) const {
  const SliceId marked = marked_in(x);
  return marked == kNone<SliceId> ? folded_color(row_.columns[x])
                                  : with_alpha(fill(trace_->label_of(marked), marked), kMostFolded);
}

// Fades the colours of columns in which no row of the lane or group has a hit towards the lane's colour. Heights stay.
void FrameBuilder::dim_summary(LaneId lane, std::uint32_t strip) {
  if (!params_->hits) return;
  const Lane& all = trace_->lane(lane);
  const std::size_t last_lane = idx(all.subtree_end);
  std::size_t first_row = trace_->rows.size(), last_row = 0;
  for (std::size_t l = idx(lane); l < last_lane; ++l) {
    const Lane& each = trace_->lanes[l];
    if (each.row_count == 0) continue;
    first_row = std::min<std::size_t>(first_row, each.first_row);
    last_row = std::max<std::size_t>(last_row, each.first_row + each.row_count);
  }
  if (first_row >= last_row) return;
  const auto rows = std::span(trace_->rows).subspan(first_row, last_row - first_row);
  const auto hits_of = [&](const Row& row) {
    return params_->hits->count_between(row.first, std::size_t{row.first} + row.count);
  };
  // Without parts, slice ids are in row order: one range covers all rows.
  const bool any = trace_->parts.empty()
                       ? params_->hits->count_between(rows.front().first, std::size_t{rows.back().first} + rows.back().count) > 0
                       : std::ranges::any_of(rows, [&](const Row& row) { return hits_of(row) > 0; });
  begin_marks();
  if (any) {
    if (rows.size() > marked_left_) return;
    marked_left_ -= rows.size();
    for (const Row& row : rows) {
      if (hits_of(row) > 0) mark_columns(trace_->slices_of(row));
    }
  }
  for (std::size_t x = 0; x < params_->width_px; ++x) {
    Rgba& texel = out_->texels[strip + x];
    if (texel != 0 && marked_columns_[x] == kNone<SliceId>) texel = toward(texel, params_->lane_color, kDimmedAlpha);
  }
}

}  // namespace tv

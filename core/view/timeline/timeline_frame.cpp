#include "core/view/timeline/timeline_frame.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/gpu/exposed_time.h"
#include "core/query/row_search.h"
#include "core/store/trace/pipeline_lanes.h"
#include "core/view/timeline/summary_level.h"

namespace tv {
namespace {

// Alpha of an Area column that fills `part` of its height; anything nonzero fills at least a pixel.
std::uint32_t area_alpha(double part, float height) {
  const double least = std::min(1.0 / std::max(static_cast<double>(height), 1.0), 1.0);
  return static_cast<std::uint32_t>(std::lround(std::clamp(part, least, 1.0) * 255));
}

// Clamps coordinates far outside the view, so that floats stay precise.
float on_sheet(double at) { return static_cast<float>(std::clamp(at, -1e5, 1e5)); }

// Rows that are high enough to be read are separated by a pixel, so that nested slices of one colour stay distinguishable.
constexpr float kSpacedRow = 10;
float inked(float row_height) { return row_height >= kSpacedRow ? row_height - 1 : row_height; }

}  // namespace

void FrameBuilder::build(const Snapshot& snapshot, const LaneLayout& layout, const Viewport& view,
                         const FrameParams& params, TimelineFrame& out) {
  trace_ = snapshot.trace.get();
  index_ = snapshot.index.get();
  layout_ = &layout;
  params_ = &params;
  out_ = &out;
  map_ = pixel_map(view, params.width_px);
  if (whole_index_.lock() != snapshot.index) {
    whole_index_ = snapshot.index;
    whole_.clear();
    summary_levels_.assign(trace_->lanes.size(), kNotKnown);
  }
  exact_left_ = kExactSummaries;
  marked_left_ = kMarkedRows;
  out.clear();
  out.width_px = params.width_px;

  const double top = params.scroll_y, bottom = top + static_cast<double>(params.height_px);
  const auto band = [&](double y, float height) { return Band{static_cast<float>(y - top), height}; };
  // Exposed communication is drawn in the gap below the box.
  const auto underline = [&](const LaneBox& box) {
    const ExposedSpans* const spans = params.exposed ? params.exposed->of(box.lane) : nullptr;
    if (spans) add_exposed(*spans, band(box.bottom(), params.exposed_px));
  };
  const TimeRange shown{static_cast<Ns>(std::floor(map_.begin)), static_cast<Ns>(std::ceil(map_.end()))};
  for (const LaneBox& box : layout.boxes_between(top, bottom)) {
    lane_ = box.lane;
    if (box.collapsed) {
      add_summary(box.lane, band(box.summary_y(), box.summary_height));
      underline(box);
      continue;
    }
    // Draws only the lines on the screen, because a lane may have many.
    if (box.line_count > 0) {
      const std::uint32_t last = std::min(box.line_at(bottom) + 1, box.line_count);
      for (std::uint32_t n = box.line_at(top); n < last; ++n) {
        begin_line(band(box.line_y(n), inked(box.line_height(n))));
        layout.for_each_row(*trace_, box, n, shown, [&](RowId row) { add_row(row, !box.as_rows); });
        end_line();
      }
    }
    if (box.instants_height > 0) add_instants(box.instants(), band(box.instants_y(), box.instants_height));
    if (box.counter_height > 0) {
      add_counter(trace_->lane(box.lane).counter, band(box.counter_y(), box.counter_height));
    }
    if (!box.group) underline(box);
  }
  if (params.selected != kNone<SliceId>) add_arrows();
  out.stats.rects = static_cast<std::uint32_t>(out.rects.size());
  out.stats.strips = static_cast<std::uint32_t>(out.strips.size());
  out.stats.texts = static_cast<std::uint32_t>(out.texts.size());
}

std::uint32_t FrameBuilder::begin_strip(StripItem::Kind kind, Band band) {
  const auto first = static_cast<std::uint32_t>(out_->texels.size());
  out_->strips.push_back({band.y, band.height, kind, first});
  out_->texels.resize(first + params_->width_px, 0);
  return first;
}

Rgba FrameBuilder::folded_color(const FoldedColumn& column) const {
  auto alpha = static_cast<float>(kFaintest) + column.coverage * static_cast<float>(kMostFolded - kFaintest);
  if (dimmed(column.label, column.representative)) alpha *= kDimmedAlpha;
  return with_alpha(fill(column.label, column.representative), static_cast<std::uint32_t>(alpha));
}

Rgba FrameBuilder::fill(LabelId label, SliceId slice) const {
  const SliceColors* const colors = params_->colors;
  const Rgba unlit = colors ? colors->look(colors->of(slice, label, lane_)).fill : params_->palette->fill(label);
  return label == params_->lit ? Palette::lit_of(unlit, params_->palette->theme()) : unlit;
}

Rgba FrameBuilder::summary_fill(LabelId label) const {
  const SliceColors* const colors = params_->colors;
  return colors ? colors->look(colors->of_summary(label, lane_)).fill : params_->palette->fill(label);
}

Rgba FrameBuilder::text_color(LabelId label, SliceId slice) const {
  // The name of a dimmed slice is faint. It contrasts with the background, whose colour the slice nearly has.
  const bool dark = params_->palette->theme() == ThemeKind::Dark;
  if (dimmed(label, slice)) return with_alpha(dark ? rgba(255, 255, 255) : rgba(0, 0, 0), kFaintText);
  if (label == params_->lit) return text_on(fill(label, slice));
  const SliceColors* const colors = params_->colors;
  return colors ? colors->look(colors->of(slice, label, lane_)).text : params_->palette->text(label);
}

// Splits off the part of the rectangle in which the collective waits, and hatches that part.
void FrameBuilder::add_waiting(SliceId slice, RectItem& rest) const {
  const MatchedCollective* const collective = params_->collectives->find(slice);
  if (!collective) return;
  const auto members = params_->collectives->of(*collective);
  const auto member = std::ranges::find(members, slice, &CollectiveMember::slice);
  if (member == members.end() || member->waited <= 0) return;
  const Ns until = trace_->begin_of(slice) + std::min(member->waited, trace_->duration_of(slice));
  const auto end = static_cast<float>(std::clamp(map_.x_of(static_cast<double>(until)), 0.0, static_cast<double>(rest.x1)));
  if (end - rest.x0 < 2) return;
  RectItem waiting = rest;
  waiting.x1 = end;
  waiting.style = (rest.style & ~std::uint32_t{kClippedRight}) | kHatched;
  out_->rects.push_back(waiting);
  rest.x0 = end;
  rest.style &= ~std::uint32_t{kClippedLeft};
}

void FrameBuilder::add_counter(std::uint32_t counter, Band band) {
  const CounterSeries& series = trace_->counters[counter];
  const ValuePyramid& values = index_->values(counter);
  ++out_->stats.rows;
  if (series.time.empty()) return;
  const ValueRange& scale = index_->scale(counter).range;
  const double low = scale.min, height = scale.max - low;
  const std::uint32_t strip = begin_strip(StripItem::Kind::Area, band);
  // Searches in growing steps, because the samples of the next pixel are mostly near.
  const auto after = [&](double t, std::size_t from) {
    const auto later = [](double time, Ns sample) { return time < static_cast<double>(sample); };
    std::size_t to = from, step = 1;
    for (; to < series.time.size() && !later(t, series.time[to]); step *= 2) {
      from = to + 1;
      to += step;
    }
    const auto begin = series.time.begin();
    const auto at = std::upper_bound(begin + static_cast<std::ptrdiff_t>(from),
                                     begin + static_cast<std::ptrdiff_t>(std::min(to, series.time.size())), t, later);
    return static_cast<std::size_t>(at - begin);
  };
  // Samples [first, next): those within the pixel, and the last one before it, whose value still holds.
  std::size_t next = after(map_.begin, 0);
  const auto end = static_cast<double>(trace_->extent.end);
  for (std::uint32_t x = 0; x < params_->width_px; ++x) {
    const std::size_t first = next > 0 ? next - 1 : 0;
    const double pixel_end = map_.time_at(x + 1);
    if (map_.time_at(x) > end) break;
    // A sample exactly at the pixel's end belongs to the next pixel; `after` would take it.
    next = after(std::nextafter(pixel_end, map_.begin), next);
    ++out_->stats.nodes_visited;
    if (first == next) continue;  // before the first sample
    const double value = values.range(series.value, first, next).max;
    if (value <= low && height > 0) continue;
    const double part = height > 0 ? (value - low) / height : 0;
    out_->texels[strip + x] = with_alpha(params_->palette->counter(), area_alpha(part, band.height));
  }
}

// Adds a row to the shares. As in OverviewBuilder, a weighted majority vote chooses the colour.
void FrameBuilder::add_shares(const IndexedRow& row, float weight) {
  visible(row, map_, row_);
  out_->stats.nodes_visited += row_.visits;
  const auto add = [&](std::size_t x, float busy, LabelId label) {
    Share& share = shares_[x];
    share.busy += busy;
    if (share.label == label || share.label == kNone<LabelId>) {
      share.label = label;
      share.vote += busy;
    } else if (share.vote >= busy) {
      share.vote -= busy;
    } else {
      share.label = label;
      share.vote = busy - share.vote;
    }
  };
  for (const std::uint32_t x : row_.filled()) add(x, row_.columns[x].coverage * weight, row_.columns[x].label);
  for (const VisibleSlice& slice : row_.slices) {
    const LabelId label = row.slices.label(slice.at);
    for (auto x = static_cast<std::size_t>(slice.x0); x < shares_.size(); ++x) {
      const float from = std::max(slice.x0, static_cast<float>(x));
      const float to = std::min(slice.x1, static_cast<float>(x + 1));
      if (to <= from) break;
      add(x, (to - from) * weight, label);
    }
  }
}

void FrameBuilder::add_exact(LaneId lane, float weight) {
  const std::size_t union_rows = index_->union_rows(lane);
  const float of_one = weight / static_cast<float>(std::max<std::size_t>(index_->slots(lane), 1));
  for (std::size_t s = 0; s < union_rows; ++s) add_shares(index_->union_row(*trace_, lane, s), of_one);
}

void FrameBuilder::add_summary(LaneId lane, Band band) {
  std::size_t lanes = 0, union_rows = 0;
  const std::size_t end = idx(trace_->lane(lane).subtree_end);
  for (std::size_t l = idx(lane); l < end; ++l) {
    const std::size_t n = index_->union_rows(id_at<LaneId>(l));
    union_rows += n;
    lanes += n > 0;
  }
  if (union_rows == 0) {
    add_without_slices(trace_->lane(lane), band);
    return;
  }
  ++out_->stats.rows;
  const double bucket_px = static_cast<double>(trace_->shown().length()) / kOverviewBuckets / map_.ns_per_px;
  if (const Overview* overview = index_->overview(lane)) {
    if (bucket_px <= 2 || union_rows > exact_left_) {
      add_from_overview(*overview, band);
      color_by_level(lane, out_->strips.back().first_texel);
      return dim_summary(lane, out_->strips.back().first_texel);
    }
    exact_left_ -= union_rows;
  }
  shares_.assign(params_->width_px, {});
  for (std::size_t l = idx(lane); l < end; ++l) add_exact(id_at<LaneId>(l), 1.0f / static_cast<float>(lanes));
  const std::uint32_t strip = begin_strip(StripItem::Kind::Area, band);
  for (std::size_t x = 0; x < shares_.size(); ++x) {
    const Share& share = shares_[x];
    if (share.label == kNone<LabelId>) continue;
    out_->texels[strip + x] = with_alpha(summary_fill(share.label),
                                         area_alpha(static_cast<double>(share.busy), band.height));
  }
  color_by_level(lane, strip);
  dim_summary(lane, strip);
}

// Recolours columns by the lane's summary level; their heights stay. Of slices narrower than a pixel, the longest counts.
void FrameBuilder::color_by_level(LaneId lane, std::uint32_t strip) {
  std::uint32_t& level = summary_levels_[idx(lane)];
  if (level == kNotKnown) level = summary_level(*trace_, *index_, lane);
  if (level == 0) return;
  const auto paint = [&](std::size_t x, LabelId label) {
    Rgba& texel = out_->texels[strip + x];
    if (texel != 0) texel = with_alpha(summary_fill(label), texel >> 24);
  };
  const Lane& of = trace_->lane(lane);
  for (const RowId id : IdRange<RowId>(of.first_row, of.row_count)) {
    if (trace_->row(id).kind != RowKind::Slices || trace_->row(id).depth != level) continue;
    const IndexedRow row = index_->row(*trace_, id);
    visible(row, map_, row_);
    out_->stats.nodes_visited += row_.visits;
    for (const std::uint32_t x : row_.filled()) paint(x, row_.columns[x].label);
    for (const VisibleSlice& slice : row_.slices) {
      const auto end = std::min(static_cast<std::size_t>(std::ceil(slice.x1)), std::size_t{params_->width_px});
      for (auto x = static_cast<std::size_t>(slice.x0); x < end; ++x) paint(x, row.slices.label(slice.at));
    }
  }
}

// Computes the coverage of a column as a difference of prefix sums, so that the cost does not depend on the zoom.
void FrameBuilder::add_exposed(const ExposedSpans& spans, Band band) {
  const Ns first = static_cast<Ns>(std::floor(map_.begin)), last = static_cast<Ns>(std::ceil(map_.end()));
  if (spans.within({first, last}) == 0) return;
  const std::uint32_t strip = begin_strip(StripItem::Kind::Density, band);
  std::size_t hint = 0;
  const bool narrow = map_.ns_per_px < 1;
  Ns from = narrow ? static_cast<Ns>(std::ceil(map_.time_at(1))) - 1 : first, before = spans.until(from, hint);
  for (std::uint32_t x = 0; x < params_->width_px; ++x) {
    // A column narrower than a nanosecond shows the one in which it ends. Wider columns divide the nanoseconds among them.
    const double end = map_.time_at(x + 1);
    const auto to = static_cast<Ns>(narrow ? std::ceil(end) : std::floor(end));
    if (to <= from) {
      if (x > 0) out_->texels[strip + x] = out_->texels[strip + x - 1];
      continue;
    }
    const Ns until = spans.until(to, hint);
    ++out_->stats.nodes_visited;
    if (until > before) {
      const auto part = static_cast<double>(until - before) / static_cast<double>(to - from);
      out_->texels[strip + x] =
          with_alpha(params_->exposed_color, kFaintest + static_cast<std::uint32_t>(part * (255 - kFaintest)));
    }
    from = to;
    before = until;
  }
}

void FrameBuilder::add_without_slices(const Lane& lane, Band band) {
  if (lane.counter != UINT32_MAX) {
    add_counter(lane.counter, band);
  } else if (lane.row_count > 0) {
    add_instants({lane.first_row, lane.row_count}, band);
  }
}

void FrameBuilder::add_from_overview(const Overview& overview, Band band) {
  const auto per_ns = static_cast<double>(kOverviewBuckets) /
                      static_cast<double>(std::max<Ns>(trace_->shown().length(), 1));
  const std::uint32_t strip = begin_strip(StripItem::Kind::Area, band);
  const auto bucket_at = [&](double x) {
    return (map_.time_at(x) - static_cast<double>(trace_->shown().begin)) * per_ns;
  };
  for (std::uint32_t x = 0; x < params_->width_px; ++x) {
    // Takes the mean of the buckets that the pixel touches, weighted by their parts in the pixel.
    const double from = std::max(bucket_at(x), 0.0);
    const double to = std::min(bucket_at(x + 1), static_cast<double>(kOverviewBuckets));
    if (from >= to) continue;
    double busy = 0, most = -1;
    LabelId label = kNone<LabelId>;
    for (auto b = static_cast<std::size_t>(from); static_cast<double>(b) < to; ++b) {
      if (overview.busy[b] == 0) continue;
      const double part = std::min(to, static_cast<double>(b + 1)) - std::max(from, static_cast<double>(b));
      const double share = overview.busy[b] / 255.0 * part;
      busy += share;
      if (share > most) {
        most = share;
        label = overview.label[b];
      }
    }
    if (label == kNone<LabelId>) continue;
    out_->texels[strip + x] =
        with_alpha(summary_fill(label), area_alpha(busy / (to - from), band.height));
  }
}

void FrameBuilder::add_arrows() {
  const SliceId selected = params_->selected;
  std::optional<SliceId> after = add_outgoing(selected), before = add_incoming(selected);
  for (const Flow& arrow : params_->arrows) add_arrow(arrow.from, arrow.to);
  if (!is_pipeline_job(*trace_, selected)) return;
  for (std::size_t n = 0; after && n < kMostArrows; ++n) after = add_outgoing(*after);
  for (std::size_t n = 0; before && n < kMostArrows; ++n) before = add_incoming(*before);
}

// Returns the target of the last arrow; a pipeline job has only one.
std::optional<SliceId> FrameBuilder::add_outgoing(SliceId from) {
  std::optional<SliceId> last;
  trace_->flows.leaving(from, [&](std::size_t, const Flow& flow) {
    add_arrow(from, flow.to);
    last = flow.to;
  });
  return last;
}

std::optional<SliceId> FrameBuilder::add_incoming(SliceId to) {
  std::optional<SliceId> last;
  trace_->flows.entering(to, [&](std::size_t, const Flow& flow) {
    add_arrow(flow.from, to);
    last = flow.from;
  });
  return last;
}

void FrameBuilder::add_arrow(SliceId from, SliceId to) {
  if (out_->arrows.size() >= kMostArrows) return;
  const RowId from_row = trace_->row_of(from), to_row = trace_->row_of(to);
  if (!layout_->shows(trace_->row(from_row).lane) || !layout_->shows(trace_->row(to_row).lane)) return;
  const Ns to_begin = trace_->begin_of(to);
  // The arrow leaves at the end of `from`, or at the begin of `to` if that is earlier: a kernel may start before its launch
  // call returns.
  const Ns leaves = std::clamp(to_begin, trace_->begin_of(from), trace_->end_of(from));
  // The arrow is vertical if `to` began before, unless `to` has already ended.
  const Ns enters = std::clamp(leaves, to_begin, trace_->end_of(to));
  const double x0 = map_.x_of(static_cast<double>(leaves)), x1 = map_.x_of(static_cast<double>(enters));
  const auto half_of = [&](RowId row) { return static_cast<double>(layout_->height_of(*trace_, row)) / 2; };
  double y0 = layout_->middle_of(*trace_, from_row) - params_->scroll_y;
  double y1 = layout_->middle_of(*trace_, to_row) - params_->scroll_y;
  const bool down = y0 <= y1;
  // If both slices are in one row, both ends are at the upper edge of the row.
  y0 += y0 < y1 ? half_of(from_row) : -half_of(from_row);
  y1 += down ? -half_of(to_row) : half_of(to_row);
  const double width = params_->width_px, height = static_cast<double>(params_->height_px);
  const bool upright = x0 >= 0 && x0 <= width && std::max(y0, y1) >= 0 && std::min(y0, y1) <= height;
  const bool across = y1 >= 0 && y1 <= height && std::max(x0, x1) >= 0 && std::min(x0, x1) <= width;
  if (!upright && !across) return;
  out_->arrows.push_back({on_sheet(x0), on_sheet(y0), on_sheet(x1), on_sheet(y1), params_->palette->arrow(), from, to, down});
}

SliceBox box_of_slice(const Trace& trace, const LaneLayout& layout, const Viewport& view,
                      const FrameParams& params, SliceId slice) {
  const PixelMap map = pixel_map(view, params.width_px);
  const auto begin = static_cast<double>(trace.begin_of(slice));
  const double x0 = map.x_of(begin),
               x1 = map.x_of(begin + static_cast<double>(trace.duration_of(slice)));
  const RowId row = trace.row_of(slice);
  if (!layout.shows(trace.row(row).lane)) return {x0, x1, -1, 0};  // above everything drawn
  const auto height = static_cast<double>(layout.height_of(trace, row));
  return {x0, x1, layout.middle_of(trace, row) - height / 2 - params.scroll_y, height};
}

}  // namespace tv

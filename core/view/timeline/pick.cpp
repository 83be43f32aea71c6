#include "core/view/timeline/pick.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/query/hit_test.h"
#include "core/query/lane_gaps.h"
#include "core/query/row_search.h"
#include "core/query/visible.h"

namespace tv {
namespace {

std::optional<double> value_at(const CounterSeries& series, Ns t) {
  const auto after = std::upper_bound(series.time.begin(), series.time.end(), t);
  if (after == series.time.begin()) return std::nullopt;
  return series.value[static_cast<std::size_t>(after - series.time.begin()) - 1];
}

std::optional<MergedSlices> merged_at(const Snapshot& snapshot, RowId row, const PixelMap& map, double x) {
  const PixelMap column{map.time_at(std::floor(x)), map.ns_per_px, 1};
  const IndexedRow indexed = snapshot.index->row(*snapshot.trace, row);
  VisibleRow found;
  visible(indexed, column, found);
  if (found.columns.empty() || found.columns[0].empty()) return std::nullopt;
  const auto begin = static_cast<Ns>(std::floor(column.begin)), end = static_cast<Ns>(std::ceil(column.end()));
  const RowPart touched = touching(indexed.slices, {begin, end});
  const std::size_t merged = touched.last - touched.first - std::min(touched.last - touched.first, found.slices.size());
  if (merged < 2) return std::nullopt;
  return MergedSlices{merged, found.columns[0].representative, static_cast<Ns>(std::llround(static_cast<double>(found.columns[0].coverage) * map.ns_per_px)),
                      end - begin};
}

}  // namespace

std::optional<Pick> pick(const Snapshot& snapshot, const LaneLayout& layout, const Viewport& view,
                         std::uint32_t width_px, double scroll_y, double x, double y, double tolerance_px) {
  const auto place = layout.at(y + scroll_y);
  if (!place) return std::nullopt;
  const Trace& trace = *snapshot.trace;
  const PixelMap map = pixel_map(view, width_px);
  Pick pick{*place, map.time_at(x), {}, {}, {}, {}};
  const auto t = static_cast<Ns>(std::floor(pick.t));
  if (place->row != kNone<RowId>) {
    const auto near = static_cast<Ns>(std::ceil(tolerance_px * map.ns_per_px));
    Ns nearest = std::numeric_limits<Ns>::max();
    layout.for_each_row(trace, *place, {t - near, t + near}, [&](RowId row) {
      const auto slice = hit_test(trace.slices_of(trace.row(row)), t, near);
      if (!slice) return;
      const Ns distance = std::max({trace.begin_of(*slice) - t, t - trace.end_of(*slice), Ns{0}});
      if (distance < nearest) nearest = distance, pick.slice = slice, pick.place.row = row;
    });
    if (!pick.slice && place->part == LaneLayout::Place::Part::Row) pick.gap = gap_at(trace, pick.place.row, t);
    if (x >= 0) pick.merged = merged_at(snapshot, pick.place.row, map, x);
  }
  if (place->part == LaneLayout::Place::Part::Summary && trace.lane(place->lane).row_count <= kMostGapRows) {
    pick.gap = gap_at(trace, place->lane, t);
  }
  const std::uint32_t counter = trace.lane(place->lane).counter;
  if (place->part == LaneLayout::Place::Part::Counter && counter != UINT32_MAX) {
    pick.value = value_at(trace.counters[counter], t);
  }
  return pick;
}

std::optional<Ns> snap_to_edge(const RowSlices& row, Ns t, Ns tolerance) {
  std::optional<Ns> best;
  const auto offer = [&](Ns edge) {
    const Ns distance = edge < t ? t - edge : edge - t;
    if (distance > tolerance) return;
    if (!best || distance < (*best < t ? t - *best : *best - t)) best = edge;
  };
  const std::size_t after = first_beginning_after(row, t);
  if (after > 0) {
    offer(row.begin(after - 1));
    offer(row.end(after - 1));
  }
  if (after < row.size()) offer(row.begin(after));
  // Inside a slice, the end of the previous slice may still be the nearest edge.
  if (after > 1) offer(row.end(after - 2));
  return best;
}

}  // namespace tv

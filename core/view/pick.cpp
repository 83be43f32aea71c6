#include "core/view/pick.h"

#include <algorithm>
#include <cmath>

#include "core/query/hit_test.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

std::optional<TimeRange> gap_at(const RowSlices& row, Ns t) {
  const std::size_t after = first_beginning_after(row, t);
  if (after == 0 || after == row.size()) return std::nullopt;
  return TimeRange{row.end(after - 1), row.begin[after]};
}

std::optional<double> value_at(const CounterSeries& series, Ns t) {
  const auto after = std::upper_bound(series.time.begin(), series.time.end(), t);
  if (after == series.time.begin()) return std::nullopt;
  return series.value[static_cast<std::size_t>(after - series.time.begin()) - 1];
}

}  // namespace

std::optional<Pick> pick(const Snapshot& snapshot, const LaneLayout& layout, const Viewport& view,
                         std::uint32_t width_px, double scroll_y, double x, double y, double tolerance_px) {
  const auto place = layout.at(y + scroll_y);
  if (!place) return std::nullopt;
  const Trace& trace = *snapshot.trace;
  const PixelMap map = pixel_map(view, width_px);
  Pick pick{*place, map.time_at(x), {}, {}, {}};
  const auto t = static_cast<Ns>(std::floor(pick.t));
  if (place->row != kNone<RowId>) {
    const RowSlices row = trace.slices_of(trace.row(place->row));
    pick.slice = hit_test(row, t, static_cast<Ns>(std::ceil(tolerance_px * map.ns_per_px)));
    if (!pick.slice && place->part == LaneLayout::Place::Part::Row) pick.gap = gap_at(row, t);
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
    offer(row.begin[after - 1]);
    offer(row.end(after - 1));
  }
  if (after < row.size()) offer(row.begin[after]);
  // Inside a slice the end of the one before may still be the nearest edge.
  if (after > 1) offer(row.end(after - 2));
  return best;
}

}  // namespace tv

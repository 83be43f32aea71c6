#include "core/query/neighbours.h"

#include <algorithm>
#include <vector>

#include "core/query/row_search.h"
#include "core/store/trace/row_layout.h"

namespace tv {
namespace {

struct Placed {
  Ns begin, end;
  std::size_t row;  ///< in Trace::rows
  std::size_t at;   ///< in the row
};

Placed place_of(const Trace& trace, SliceId slice) {
  const std::size_t row = idx(trace.row_of(slice));
  return {trace.begin_of(slice), trace.end_of(slice), row, idx(slice) - trace.rows[row].first};
}

// As in row_layout.h, a slice contains its begin but not its end, and a zero-length slice contains its begin.
bool contains(Ns begin, Ns end, const Placed& child, Ns tolerance) {
  const Ns slack = tolerance > 0 ? kRoundingSlack : 0;
  const bool over = end < child.begin || (end == child.begin && begin < child.begin);
  return begin <= child.begin + slack && !over && end + tolerance >= child.end;
}

// The slice of a row that contains the child, if any. It begins no later than the child or, with a tolerance, at most the slack
// later.
std::optional<std::size_t> container_in(const RowSlices& row, const Placed& child, Ns tolerance) {
  const std::size_t after = first_beginning_after(row, child.begin);
  if (tolerance > 0 && after < row.size() && contains(row.begin(after), row.end(after), child, tolerance)) {
    return after;
  }
  if (after > 0 && contains(row.begin(after - 1), row.end(after - 1), child, tolerance)) return after - 1;
  return std::nullopt;
}

bool same_slot(const Trace& trace, std::size_t a, std::size_t b) {
  const Row &row_a = trace.rows[a], &row_b = trace.rows[b];
  return row_a.lane == row_b.lane && row_a.slot == row_b.slot && row_a.kind == row_b.kind;
}

// Whether `a` is nearer than `b` to a child of both: it begins later; if both begin together, it is shorter; if both are equal, it
// is in the lower row, so its record came later.
bool nearer(const Placed& a, const Placed& b) {
  if (a.begin != b.begin) return a.begin > b.begin;
  return a.end != b.end ? a.end < b.end : a.row > b.row;
}

// On a lane without overlaps and without a tolerance, the row below a slice holds exactly its children while the slice lasts.
bool all_in_next_row(const Lane& lane) { return lane.overlaps == 0 && lane.nest_tolerance == 0; }

// Rows [first, end) in which slices of `row` may have parents or children. Parents are above and children below, except that a
// slice outside the stack can contain slices of rows above it (row_layout.h). Only a lane with overlaps and without a tolerance
// has such slices.
struct SlotRows {
  std::size_t first, end;
};
SlotRows parent_rows(const Trace& trace, std::size_t row) {
  const Lane& lane = trace.lane(trace.rows[row].lane);
  SlotRows rows{row, row};
  if (rows.first > 0 && same_slot(trace, rows.first - 1, row)) --rows.first;
  if (all_in_next_row(lane)) return rows;
  while (rows.first > 0 && same_slot(trace, rows.first - 1, row)) --rows.first;
  if (lane.overlaps == 0 || lane.nest_tolerance > 0) return rows;
  while (rows.end < trace.rows.size() && same_slot(trace, rows.end, row)) ++rows.end;
  return rows;
}
SlotRows child_rows(const Trace& trace, std::size_t row) {
  const Lane& lane = trace.lane(trace.rows[row].lane);
  SlotRows rows{row + 1, row + 1};
  if (rows.end < trace.rows.size() && same_slot(trace, rows.end, row)) ++rows.end;
  if (all_in_next_row(lane)) return rows;
  while (rows.end < trace.rows.size() && same_slot(trace, rows.end, row)) ++rows.end;
  if (lane.overlaps == 0 || lane.nest_tolerance > 0) return rows;
  while (rows.first > 0 && same_slot(trace, rows.first - 1, row)) --rows.first;
  return rows;
}

// If both slices are equal, the upper one counts as the outer one.
bool may_contain(const Placed& outer, const Placed& child) {
  return outer.row < child.row || outer.begin < child.begin || outer.end > child.end;
}

// The slice of row `r` that contains the child, if any.
std::optional<Placed> container(const Trace& trace, std::size_t r, const Placed& child, Ns tolerance) {
  if (r == child.row) return std::nullopt;
  const RowSlices row = trace.slices_of(trace.rows[r]);
  const auto at = container_in(row, child, tolerance);
  if (!at) return std::nullopt;
  const Placed found{row.begin(*at), row.end(*at), r, *at};
  return may_contain(found, child) ? std::optional(found) : std::nullopt;
}

bool is_child(const Trace& trace, const Placed& child, const Placed& parent, Ns tolerance) {
  if (child.row == parent.row || !may_contain(parent, child)) return false;
  if (!contains(parent.begin, parent.end, child, tolerance)) return false;
  const SlotRows rows = parent_rows(trace, child.row);
  for (std::size_t r = rows.first; r < rows.end; ++r) {
    if (r == parent.row) continue;
    const auto found = container(trace, r, child, tolerance);
    if (found && nearer(*found, parent)) return false;
  }
  return true;
}

// Visits the continuations of a row in other segments: rows at the same place.
template <class Visit>
void for_each_continuation(const Trace& trace, const Row& of_slice, Visit visit) {
  for (const Row& row : trace.rows_of(trace.lane(of_slice.lane))) {
    if (row.place() == of_slice.place() && row.first != of_slice.first && row.count > 0) visit(trace.slices_of(row));
  }
}

}  // namespace

std::optional<SliceId> parent_of(const Trace& trace, SliceId slice) {
  const Placed child = place_of(trace, slice);
  const Row& own_row = trace.rows[child.row];
  if (own_row.kind != RowKind::Slices) return std::nullopt;
  const Ns tolerance = trace.lane(own_row.lane).nest_tolerance;
  std::optional<Placed> parent;
  const SlotRows rows = parent_rows(trace, child.row);
  for (std::size_t r = rows.first; r < rows.end; ++r) {
    const auto found = container(trace, r, child, tolerance);
    if (found && (!parent || nearer(*found, *parent))) parent = found;
  }
  if (!parent) return std::nullopt;
  return id_at<SliceId>(trace.rows[parent->row].first + parent->at);
}

Children children_of(const Trace& trace, SliceId slice) {
  const Placed parent = place_of(trace, slice);
  const Row& own_row = trace.rows[parent.row];
  Children children;
  if (own_row.kind != RowKind::Slices) return children;
  const Lane& lane = trace.lane(own_row.lane);
  const Ns slack = lane.nest_tolerance > 0 ? kRoundingSlack : 0;
  Ns first_begin = 0;
  const SlotRows rows = child_rows(trace, parent.row);
  for (std::size_t r = rows.first; r < rows.end; ++r) {
    const RowSlices row = trace.slices_of(trace.rows[r]);
    const std::size_t first = first_beginning_at(row, parent.begin - slack);
    const std::size_t last = parent.end > parent.begin ? first_beginning_at(row, parent.end)
                                                       : first_beginning_after(row, parent.begin);
    if (all_in_next_row(lane)) {
      if (first < last) children = {last - first, row.id(first)};
      break;
    }
    for (std::size_t i = first; i < last; ++i) {
      const Placed child{row.begin(i), row.end(i), r, i};
      if (!is_child(trace, child, parent, lane.nest_tolerance)) continue;
      if (children.count++ == 0 || child.begin < first_begin) {
        children.first = row.id(i);
        first_begin = child.begin;
      }
    }
  }
  return children;
}

Ns time_of_children(const Trace& trace, SliceId slice, TimeRange range) {
  const Placed parent = place_of(trace, slice);
  const Row& own_row = trace.rows[parent.row];
  if (own_row.kind != RowKind::Slices) return 0;
  const Lane& lane = trace.lane(own_row.lane);
  range = {std::max(range.begin, parent.begin), std::min(range.end, parent.end)};
  std::vector<TimeRange> times;
  const SlotRows rows = child_rows(trace, parent.row);
  for (std::size_t r = rows.first; r < rows.end; ++r) {
    const RowSlices row = trace.slices_of(trace.rows[r]);
    const RowPart part = range.empty() ? RowPart{} : touching(row, range);
    for (std::size_t i = part.first; i < part.last; ++i) {
      const Placed child{row.begin(i), row.end(i), r, i};
      const bool counts = all_in_next_row(lane) || is_child(trace, child, parent, lane.nest_tolerance);
      if (counts) times.push_back({std::max(child.begin, range.begin), std::min(child.end, range.end)});
    }
  }
  std::ranges::sort(times, {}, &TimeRange::begin);
  Ns sum = 0, covered_until = range.begin;
  for (const TimeRange& time : times) {
    sum += std::max<Ns>(time.end - std::max(time.begin, covered_until), 0);
    covered_until = std::max(covered_until, time.end);
  }
  return sum;
}

std::optional<SliceId> previous_in_row(const Trace& trace, SliceId slice) {
  const Row& own_row = trace.row(trace.row_of(slice));
  if (idx(slice) != own_row.first) return id_at<SliceId>(idx(slice) - 1);
  std::optional<SliceId> last;
  for_each_continuation(trace, own_row, [&](const RowSlices& row) {
    const SliceId candidate = row.id(row.size() - 1);
    const bool before = trace.begin_of(candidate) < trace.begin_of(slice);
    if (before && (!last || trace.begin_of(candidate) > trace.begin_of(*last))) last = candidate;
  });
  return last;
}

std::optional<SliceId> next_in_row(const Trace& trace, SliceId slice) {
  const Row& own_row = trace.row(trace.row_of(slice));
  if (idx(slice) + 1 != std::size_t{own_row.first} + own_row.count) return id_at<SliceId>(idx(slice) + 1);
  std::optional<SliceId> first;
  for_each_continuation(trace, own_row, [&](const RowSlices& row) {
    const SliceId candidate = row.id(0);
    const bool after = trace.begin_of(candidate) > trace.begin_of(slice);
    if (after && (!first || trace.begin_of(candidate) < trace.begin_of(*first))) first = candidate;
  });
  return first;
}

std::optional<SliceId> next_in_lane(const Trace& trace, SliceId slice) {
  const Placed from = place_of(trace, slice);
  const Lane& lane = trace.lane(trace.rows[from.row].lane);
  std::optional<SliceId> best;
  Ns best_begin = 0;
  for (std::size_t r = lane.first_row; r < std::size_t{lane.first_row} + lane.row_count; ++r) {
    const RowSlices row = trace.slices_of(trace.rows[r]);
    const std::size_t at = r == from.row  ? from.at + 1
                           : r < from.row ? first_beginning_after(row, from.begin)
                                          : first_beginning_at(row, from.begin);
    if (at == row.size() || (best && row.begin(at) >= best_begin)) continue;
    best = row.id(at);
    best_begin = row.begin(at);
  }
  return best;
}

std::optional<SliceId> previous_in_lane(const Trace& trace, SliceId slice) {
  const Placed from = place_of(trace, slice);
  const Lane& lane = trace.lane(trace.rows[from.row].lane);
  std::optional<SliceId> best;
  Ns best_begin = 0;
  for (std::size_t r = lane.first_row; r < std::size_t{lane.first_row} + lane.row_count; ++r) {
    const RowSlices row = trace.slices_of(trace.rows[r]);
    const std::size_t end = r == from.row  ? from.at
                            : r < from.row ? first_beginning_after(row, from.begin)
                                           : first_beginning_at(row, from.begin);
    if (end == 0 || (best && row.begin(end - 1) < best_begin)) continue;
    best = row.id(end - 1);
    best_begin = row.begin(end - 1);
  }
  return best;
}

}  // namespace tv

#include "core/index/union_row.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>

namespace tv {
namespace {

// The number of leading slices of `inner` that each lie within one slice of `outer`. In a proper stack all of them do.
std::size_t nested_in(const RowSlices& outer, const RowSlices& inner) {
  std::size_t i = 0;
  for (std::size_t o = 0; o < outer.size() && i < inner.size(); ++o) {
    const Ns begin = outer.begin(o), end = outer.end(o);
    while (i < inner.size() && inner.begin(i) >= begin && inner.end(i) <= end) ++i;
  }
  return i;
}

// Whether every slice of `inner` lies within the union of `outer`; both rows are in time order.
bool covers(const RowSlices& outer, const RowSlices& inner) {
  std::size_t at = 0;
  for (std::size_t i = nested_in(outer, inner); i < inner.size(); ++i) {
    Ns from = inner.begin(i);
    const Ns end = inner.end(i);
    while (from < end) {
      while (at < outer.size() && outer.end(at) <= from) ++at;
      if (at == outer.size() || outer.begin(at) > from) return false;
      from = outer.end(at);
    }
  }
  return true;
}

}  // namespace

bool first_row_covers(const Trace& trace, std::span<const Row> rows) {
  const RowSlices outer = trace.slices_of(rows.front());
  return std::all_of(rows.begin() + 1, rows.end(),
                     [&](const Row& row) { return covers(outer, trace.slices_of(row)); });
}

PieceColumns union_of_rows(const Trace& trace, std::span<const Row> rows) {
  struct Cursor {
    RowSlices row;
    std::size_t at = 0;
  };
  std::vector<Cursor> cursors;
  using Head = std::tuple<Ns, std::size_t>;  // begin of the next slice of a row, and the row: outer rows first
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  for (const Row& row : rows) {
    cursors.push_back({trace.slices_of(row)});
    if (row.count > 0) heads.emplace(cursors.back().row.begin(0), cursors.size() - 1);
  }
  PieceColumns pieces;
  for (Ns until = std::numeric_limits<Ns>::min(); !heads.empty();) {
    const std::size_t which = std::get<1>(heads.top());
    heads.pop();
    Cursor& cursor = cursors[which];
    const Ns begin = std::max(cursor.row.begin(cursor.at), until), end = cursor.row.end(cursor.at);
    // A zero-length slice is kept unless an earlier piece reaches it, because it must stay visible.
    if (end > until) {
      pieces.begin.push_back(begin);
      pieces.duration.push_back(end - begin);
      pieces.label.push_back(cursor.row.label(cursor.at));
      until = end;
    }
    if (++cursor.at < cursor.row.size()) heads.emplace(cursor.row.begin(cursor.at), which);
  }
  return pieces;
}

}  // namespace tv

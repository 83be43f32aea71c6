#include "core/query/lane_gaps.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "core/query/row_search.h"

namespace tv {
namespace {

bool is_longer_gap(const Gap& a, const Gap& b) {
  return std::tuple(-a.time.length(), a.lane, a.time.begin) < std::tuple(-b.time.length(), b.lane, b.time.begin);
}

// A position in a row, for merging rows by time.
struct RowCursor {
  Ns begin;
  std::uint32_t row;
  std::size_t at;
  bool operator>(const RowCursor& other) const { return std::tie(begin, row) > std::tie(other.begin, other.row); }
};

std::vector<RowSlices> slice_rows(const Trace& trace, LaneId lane) {
  std::vector<RowSlices> rows;
  for (const Row& row : trace.rows_of(trace.lane(lane))) {
    if (row.kind == RowKind::Slices && row.count > 0) rows.push_back(trace.slices_of(row));
  }
  return rows;
}

void keep_longest(std::vector<Gap>& gaps, std::size_t most) {
  if (gaps.size() <= most) return;
  const auto end = gaps.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(gaps.begin(), end, gaps.end(), is_longer_gap);
  gaps.erase(end, gaps.end());
}

}  // namespace

std::vector<Gap> gaps_of_lane(const Trace& trace, LaneId lane, std::size_t most) {
  const std::vector<RowSlices> rows = slice_rows(trace, lane);
  std::priority_queue<RowCursor, std::vector<RowCursor>, std::greater<>> next;
  for (std::size_t r = 0; r < rows.size(); ++r) next.push({rows[r].begin(0), static_cast<std::uint32_t>(r), 0});
  std::vector<Gap> gaps;
  Ns busy_until = next.empty() ? 0 : next.top().begin;
  SliceId last = kNone<SliceId>;
  std::uint32_t last_row = 0;
  while (!next.empty()) {
    const RowCursor cursor = next.top();
    const RowSlices& row = rows[cursor.row];
    if (cursor.begin > busy_until) {
      gaps.push_back({lane, kNone<RowId>, {busy_until, cursor.begin}, last, row.id(cursor.at)});
      if (most < SIZE_MAX / 2 && gaps.size() >= 2 * most + 1) keep_longest(gaps, most);
    }
    const Ns end = row.end(cursor.at);
    if (last == kNone<SliceId> || end > busy_until || (end == busy_until && cursor.row <= last_row)) {
      busy_until = end;
      last = row.id(cursor.at);
      last_row = cursor.row;
    }
    next.pop();
    // Slices of the row that end before busy_until change nothing. Continue with the first that does not.
    std::size_t at = cursor.at + 1;
    if (at < row.size() && row.end(at) < busy_until) {
      const std::span<const Ns> begins = row.own_begins();
      const auto ends_before = [&](const Ns& begin) { return row.end(static_cast<std::size_t>(&begin - begins.data())) < busy_until; };
      at = static_cast<std::size_t>(std::ranges::partition_point(begins.subspan(at), ends_before) - begins.begin());
    }
    if (at < row.size()) next.push({row.begin(at), cursor.row, at});
  }
  keep_longest(gaps, most);
  std::ranges::sort(gaps, is_longer_gap);
  return gaps;
}

std::vector<Gap> gaps_of_lanes(const Trace& trace, const std::vector<LaneId>& lanes, std::size_t most_of_a_lane,
                               ThreadPool& pool) {
  std::vector<std::vector<Gap>> of_lane(lanes.size());
  pool.parallel_for(lanes.size(), [&](std::size_t l) { of_lane[l] = gaps_of_lane(trace, lanes[l], most_of_a_lane); });
  std::vector<Gap> all;
  for (const std::vector<Gap>& gaps : of_lane) all.insert(all.end(), gaps.begin(), gaps.end());
  std::ranges::sort(all, is_longer_gap);
  return all;
}

namespace {

// Shrinks a gap around t to the part in which the row has no slices. False if a slice of the row runs at t.
bool narrow(const Trace& trace, const Row& row, Ns t, Gap& gap) {
  const RowSlices slices = trace.slices_of(row);
  const std::size_t after = first_beginning_after(slices, t);
  if (after > 0) {
    const Ns end = slices.end(after - 1);
    if (end > t) return false;
    // A zero-length slice at t bounds the gap.
    if (gap.before == kNone<SliceId> || end > gap.time.begin) gap.before = slices.id(after - 1), gap.time.begin = end;
  }
  if (after < slices.size() && (gap.after == kNone<SliceId> || slices.begin(after) < gap.time.end)) {
    gap.after = slices.id(after), gap.time.end = slices.begin(after);
  }
  return true;
}

}  // namespace

std::optional<Gap> gap_at(const Trace& trace, LaneId lane, Ns t) {
  Gap gap{lane, kNone<RowId>, {}, kNone<SliceId>, kNone<SliceId>};
  for (const Row& row : trace.rows_of(trace.lane(lane))) {
    if (row.kind == RowKind::Slices && !narrow(trace, row, t, gap)) return std::nullopt;
  }
  if (gap.before == kNone<SliceId> || gap.after == kNone<SliceId>) return std::nullopt;
  return gap;
}

std::optional<Gap> gap_at(const Trace& trace, RowId row, Ns t) {
  const LaneId lane = trace.row(row).lane;
  if (trace.lane(lane).row_count <= kMostGapRows) {
    if (const auto of_lane = gap_at(trace, lane, t)) return of_lane;
  }
  if (trace.row(row).kind != RowKind::Slices) return std::nullopt;
  Gap gap{lane, row, {}, kNone<SliceId>, kNone<SliceId>};
  for (const Row& part : trace.rows_of(trace.lane(lane))) {
    if (trace.row(row).place() == part.place() && !narrow(trace, part, t, gap)) return std::nullopt;
  }
  if (gap.before == kNone<SliceId> || gap.after == kNone<SliceId>) return std::nullopt;
  return gap;
}

}  // namespace tv

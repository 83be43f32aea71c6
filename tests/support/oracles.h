// The right answers, found the slow and obvious way. Nothing here is clever; that is its point.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/query/range_stats.h"
#include "core/query/visible.h"
#include "core/store/trace/row_layout.h"
#include "core/store/trace/trace.h"

namespace tv::test::oracle {

/// Length of the union.
Ns union_length(std::vector<TimeRange> ranges);
/// The most ranges that are open at one time; a zero-length one is open for a nanosecond.
std::size_t max_concurrency(const std::vector<TimeRange>& ranges);

/// The parent of each item. In the order of row_layout.h (begin, longer first, position) it is the last item before that contains
/// this one (closed-left, open-right; zero-length open at its begin), or none. There is no tolerance.
std::vector<std::optional<std::size_t>> parents(const LaneItems& items);
/// Duration minus the union of the direct children, per item.
std::vector<Ns> self_times(const LaneItems& items);
/// How many items contain each item, directly or not.
std::vector<std::size_t> depths(const LaneItems& items);

/// The lane's slices, as items; `ids` tells which slice each item is.
struct LaneSlices {
  std::vector<Ns> begin, duration;
  std::vector<SliceId> ids;

  LaneItems items() const { return {begin, duration, {}}; }
};
/// The slices of one slot, or of the whole lane.
LaneSlices slices_of(const Trace& trace, const Lane& lane, std::optional<std::uint32_t> slot = {});

std::optional<SliceId> hit_test(const RowSlices& row, Ns t, Ns tolerance);

/// Like tv::range_stats.
std::vector<LabelStats> range_stats(const Trace& trace, const StatsQuery& query);

/// Checks the contract of visible.h and returns the first violation; empty if there is none.
std::string check_folding(const RowSlices& row, const PixelMap& map, const VisibleRow& shown, int levels);

}  // namespace tv::test::oracle

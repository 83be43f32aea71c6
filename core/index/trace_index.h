// The index of a Trace for drawing and queries: pyramids and union rows of each segment (segment_index.h) and, for the whole
// trace, pyramids of counters and overviews of groups and of lanes with many slices. It is immutable, belongs to exactly the
// Trace that it was built from, and holds no pointers into that Trace. Overviews of lanes and groups that have not changed since
// an earlier view (same_lanes.h) are shared with the index of that view. It is built in parallel over rows and lanes. Cost,
// without the segments' indexes: 16 bytes per row, 24 per union row, 12 per lane, 5 KiB per overview; for counters value_pyramid.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/index/counter_scales.h"
#include "core/index/overview.h"
#include "core/index/row_pyramid.h"
#include "core/index/segment_index.h"
#include "core/index/value_pyramid.h"
#include "core/store/trace/trace.h"

namespace tv {

struct Snapshot;

class TraceIndex {
 public:
  IndexedRow row(const Trace& trace, RowId id) const;
  /// The number of union rows of the lane, not counting lanes below it: one for each slot and segment. 0 for groups and counters.
  std::size_t union_rows(LaneId lane) const {
    return first_union_row_[idx(lane) + 1] - first_union_row_[idx(lane)];
  }
  /// The number of slots of the lane: several if it is packed, or if several segments of a view run on it at once (trace.h). Union
  /// rows of one slot do not overlap in time.
  std::size_t slots(LaneId lane) const { return slots_[idx(lane)]; }
  /// If the result is a union and not a row of the trace, the ids of its slices are meaningless.
  IndexedRow union_row(const Trace& trace, LaneId lane, std::size_t i) const;
  /// Null for lanes (not groups) with up to kOverviewBuckets slices: reading the slices costs no more.
  const Overview* overview(LaneId lane) const {
    const std::uint32_t at = overview_of_[idx(lane)];
    return at == kNoOverview ? nullptr : overviews_[at].get();
  }
  const Overview& whole() const { return whole_; }  ///< mean over all lanes
  const ValuePyramid& values(std::size_t counter) const { return values_[counter]; }
  const CounterScale& scale(std::size_t counter) const { return scales_[counter]; }
  std::size_t bytes() const;
  /// One for each part of a view. For a segment, only its own index.
  const std::vector<std::shared_ptr<const SegmentIndex>>& segments() const { return segments_; }

 private:
  friend class IndexBuilder;

  struct UnionRow {
    RowId row{};                                  // the first row of the slot
    const SegmentIndex::Union* united = nullptr;  // null: `row` is the union row
    std::uint32_t part = 0;
  };

  std::vector<std::shared_ptr<const SegmentIndex>> segments_;
  std::vector<std::span<const PyramidNode>> nodes_;  // by row, in the index of its segment
  std::vector<std::uint32_t> first_union_row_;       // by lane, and one past the last: the index of its first union row
  std::vector<UnionRow> union_rows_;
  std::vector<std::uint32_t> slots_;  // by lane
  static constexpr std::uint32_t kNoOverview = UINT32_MAX;
  std::vector<std::uint32_t> overview_of_;  // by lane: index into overviews_
  std::vector<std::shared_ptr<const Overview>> overviews_;
  Overview whole_;
  std::vector<ValuePyramid> values_;  // by counter
  std::vector<CounterScale> scales_;  // by counter
};

/// Segments that are already indexed.
using IndexedSegments = std::unordered_map<std::shared_ptr<const Trace>, std::shared_ptr<const SegmentIndex>>;

/// Reuses the indexes of `known` segments, and what has not changed since the `earlier` snapshot. Neither changes the result.
/// Null if stopped.
std::shared_ptr<const TraceIndex> build_index(const Trace& trace, ThreadPool& pool, std::stop_token stop = {},
                                              const IndexedSegments& known = {}, const Snapshot* earlier = nullptr);

}  // namespace tv

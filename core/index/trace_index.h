// Everything derived from a Trace that drawing and queries need: pyramids and union rows of each segment (segment_index.h), and
// for the whole trace pyramids of counters, overviews of groups and of lanes with many slices. Immutable; it belongs to exactly
// the Trace it was built from and holds no pointers into it. Overviews of lanes and groups that did not change since an earlier
// view (same_lanes.h) are shared with it. Cost, without the segments' indexes: 16 bytes per row, 24 per union row, 5 KiB per
// overview; built in parallel over rows and lanes.
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
  /// The number of union rows of the lane itself: one for each slot and segment; 0 for groups and counters.
  std::size_t union_rows(LaneId lane) const {
    return first_union_row_[idx(lane) + 1] - first_union_row_[idx(lane)];
  }
  /// The number of its slots; at any time a slot has at most one union_row.
  std::size_t slots(LaneId lane) const { return slots_[idx(lane)]; }
  /// If it is a union and not a row of the trace, the ids of its slices are meaningless.
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
  /// One for each part of a view; for a segment, its own.
  const std::vector<std::shared_ptr<const SegmentIndex>>& segments() const { return segments_; }

 private:
  friend class IndexBuilder;

  // A row of the trace, or, for one segment, the union of a slot's rows.
  struct UnionRow {
    RowId row{};
    const SegmentIndex::Union* united = nullptr;
    std::uint32_t part = 0;
  };

  std::vector<std::shared_ptr<const SegmentIndex>> segments_;
  std::vector<std::span<const PyramidNode>> nodes_;  ///< by row: its segment's
  std::vector<std::uint32_t> first_union_row_;      ///< per lane, and one past the last
  std::vector<UnionRow> union_rows_;
  std::vector<std::uint32_t> slots_;  ///< per lane
  static constexpr std::uint32_t kNoOverview = UINT32_MAX;
  std::vector<std::uint32_t> overview_of_;  ///< per lane: index into overviews_
  std::vector<std::shared_ptr<const Overview>> overviews_;
  Overview whole_;
  std::vector<ValuePyramid> values_;  ///< per counter
  std::vector<CounterScale> scales_;  ///< by counter
};

/// Segments that are already indexed.
using IndexedSegments = std::unordered_map<std::shared_ptr<const Trace>, std::shared_ptr<const SegmentIndex>>;

/// Null if stopped. Reuses the index of `known` segments and the parts that are unchanged since an `earlier` snapshot; the result
/// is the same without them.
std::shared_ptr<const TraceIndex> build_index(const Trace& trace, ThreadPool& pool, std::stop_token stop = {},
                                              const IndexedSegments& known = {}, const Snapshot* earlier = nullptr);

}  // namespace tv

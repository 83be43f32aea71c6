// Everything derived from a Trace that drawing and queries need: pyramids of all rows and counters,
// silhouettes of all lanes, overviews of groups and of lanes with many slices. Immutable; belongs to exactly
// the Trace it was built from and holds no pointers into it. Cost: about 5.4 bytes per slice, 16 bytes per
// row and 5 KiB per group; built in parallel over rows and lanes.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/index/counter_scales.h"
#include "core/index/overview.h"
#include "core/index/row_pyramid.h"
#include "core/index/silhouette.h"
#include "core/index/value_pyramid.h"
#include "core/store/trace/trace.h"

namespace tv {

/// A row with its pyramid: what visible() and hit_test() look at.
struct IndexedRow {
  RowSlices slices;
  RowPyramid pyramid;
};

class TraceIndex {
 public:
  IndexedRow row(const Trace& trace, RowId id) const;
  /// How many silhouettes the lane itself has: 0 for groups and counters, the number of slots for packed
  /// lanes, else 1.
  std::size_t silhouettes(LaneId lane) const {
    return first_silhouette_[idx(lane) + 1] - first_silhouette_[idx(lane)];
  }
  /// The ids of its slices are meaningless when it is not a row of the trace.
  IndexedRow silhouette(const Trace& trace, LaneId lane, std::size_t i) const;
  /// Null for lanes with up to kOverviewBuckets slices: to look at those costs no more.
  const Overview* overview(LaneId lane) const {
    const std::uint32_t at = overview_of_[idx(lane)];
    return at == kNoOverview ? nullptr : &overviews_[at];
  }
  const Overview& whole() const { return whole_; }  ///< mean over all lanes
  const ValuePyramid& values(std::size_t counter) const { return values_[counter]; }
  const CounterScale& scale(std::size_t counter) const { return scales_[counter]; }
  std::size_t bytes() const;

 private:
  friend class IndexBuilder;

  // A silhouette is a row of the trace, or pieces of its own.
  struct Silhouette {
    RowId row = kNone<RowId>;
    std::uint32_t own = 0;  ///< into pieces_, when row is none
  };
  struct OwnPieces {
    PieceColumns pieces;
    std::vector<PyramidNode> nodes;
  };

  std::vector<PyramidNode> nodes_;         ///< of all rows
  std::vector<std::size_t> first_node_;    ///< per row, and one past the last
  std::vector<std::uint32_t> first_silhouette_;  ///< per lane, and one past the last
  std::vector<Silhouette> silhouettes_;
  std::vector<OwnPieces> pieces_;
  static constexpr std::uint32_t kNoOverview = UINT32_MAX;
  std::vector<std::uint32_t> overview_of_;  ///< per lane: into overviews_
  std::vector<Overview> overviews_;
  Overview whole_;
  std::vector<ValuePyramid> values_;  ///< per counter
  std::vector<CounterScale> scales_;  ///< likewise
};

/// Null when stopped.
std::shared_ptr<const TraceIndex> build_index(const Trace& trace, ThreadPool& pool,
                                              std::stop_token stop = {});

}  // namespace tv

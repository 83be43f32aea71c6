// The whole extent of the trace in a fixed number of buckets, per lane and per group: how busy, and with
// what. The minimap and collapsed groups are drawn from it, so that ten thousand lanes cost no more than ten.
//
// Utilisation of a lane is the union of its slices (mean over the slots of a packed lane); of a group, the
// mean over the lanes in it that have slices. Cost: kOverviewBuckets * 5 bytes per lane.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/store/trace.h"

namespace tv {

inline constexpr std::size_t kOverviewBuckets = 1024;

struct Overview {
  std::array<std::uint8_t, kOverviewBuckets> busy{};  ///< 0..255 of the bucket; at least 1 where anything is
  std::array<LabelId, kOverviewBuckets> label{};      ///< what fills most of it; meaningless where busy is 0
};

/// Accumulates rows, then rounds. A label's share is decided by weighted majority vote (Boyer-Moore): one
/// candidate per bucket, exact whenever one label holds more than half.
class OverviewBuilder {
 public:
  explicit OverviewBuilder(TimeRange extent) : extent_(extent) {}

  void add_row(const RowSlices& row);
  void add_overview(const Overview& part);
  /// `parts` = how many rows or overviews share the lane: the result is their mean.
  Overview finish(std::size_t parts) const;

 private:
  struct Bucket {
    double busy = 0;  ///< in buckets
    double vote = 0;
    LabelId label{};
    bool any = false;
  };
  void add(std::size_t bucket, double busy, LabelId label);

  TimeRange extent_;
  std::array<Bucket, kOverviewBuckets> buckets_{};
};

}  // namespace tv

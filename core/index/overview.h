// Overviews of a group, or of a lane with many slices. An overview divides the time that is shown first (Trace::shown) into a
// fixed number of buckets and says how busy each bucket is, and with which label. The minimap and collapsed groups are drawn from
// overviews, so the cost of drawing does not depend on the number of slices.
//
// The utilisation of a lane is the union of its slices, or the mean over its slots if it has several (trace_index.h). The
// utilisation of a group is the mean over its lanes that have slices. A row is read through its pyramid, down to nodes shorter than
// kWholeNode buckets. If such a node crosses the border of a bucket, its busy time is divided in proportion to its length. So for a
// row of up to kExactRow slices, a bucket is off by at most half of kWholeNode, and the sum of all buckets is exact.
//
// Cost: kOverviewBuckets * 5 bytes for each overview. Building one reads at most some ten thousand nodes per level of a pyramid
// and, for the first kVotingRows rows, visits each bucket that a slice covers.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/index/row_pyramid.h"
#include "core/store/trace/trace.h"

namespace tv {

inline constexpr std::size_t kOverviewBuckets = 1024;

struct Overview {
  std::array<std::uint8_t, kOverviewBuckets> busy{};  ///< 0..255; at least 1 if a slice is in the bucket
  std::array<LabelId, kOverviewBuckets> label{};      ///< the label that fills most of it; meaningless if busy is 0
};

/// This many rows vote for the labels of all buckets that their slices cover. Further rows vote only in the buckets where their
/// slices begin and end, because a lane may have millions of slots, each with a slice as long as the trace.
inline constexpr std::size_t kVotingRows = 4096;

/// As a fraction of a bucket.
inline constexpr double kWholeNode = 0.25;

/// In longer rows, the slices of a node are not read if their sum is at most kWholeNode: half of their time counts in the bucket
/// where the node begins, half where it ends. Reading the slices would read most of a mapped file.
inline constexpr std::size_t kExactRow = 1 << 16;

/// Adds up rows or overviews, and rounds at the end. A weighted majority vote (Boyer-Moore) with one candidate per bucket chooses
/// the label; the result is exact if one label has more than half of all votes. A node votes for the label of its longest slice.
class OverviewBuilder {
 public:
  explicit OverviewBuilder(TimeRange extent);

  /// `weight`: for the overview of a group, 1 / (number of slots of the row's lane).
  void add_row(const IndexedRow& row, double weight = 1);
  void add_overview(const Overview& part);
  /// Divides the sum by `parts`: the number of slots of the lane, or of lanes of the group that have slices.
  Overview finish(std::size_t parts) const;

 private:
  struct Bucket {
    double busy = 0;   ///< busy part of the bucket, without slices that cover all of it
    double spans = 0;  ///< weight of the slices that cover the whole bucket, minus that of the previous bucket
    double vote = 0;   ///< lead of the label
    LabelId label{};
    bool any = false;  ///< there was a vote
  };
  double place(Ns t) const;
  void add_nodes(const IndexedRow& row, int level, std::size_t first, std::size_t last, double weight, bool votes);
  void add_slices(const RowSlices& row, std::size_t first, std::size_t last, double weight, bool votes);
  void add(std::size_t bucket, double busy, LabelId label);
  void vote(Bucket& to, double busy, LabelId label);

  TimeRange extent_;
  double buckets_per_ns_;
  std::size_t rows_ = 0;
  std::array<Bucket, kOverviewBuckets + 1> buckets_{};  // the last one is for slices that reach the end
};

}  // namespace tv

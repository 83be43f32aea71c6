// The part of the trace that is shown first (Trace::shown) in a fixed number of buckets, per group and per lane with many slices:
// how busy each bucket is, and with which label. The minimap and collapsed groups are drawn from it, so their cost does not
// depend on the number of lanes.
//
// Utilisation of a lane is the union of its slices (mean over the slots of a packed lane); of a group, the mean over the lanes in
// it that have slices. A row is read through its pyramid, down to nodes shorter than kWholeNode of a bucket. If such a node
// crosses a border, its busy time is split in proportion to its length. So a row of up to kExactRow slices is off by at most half
// of kWholeNode per bucket, and the sum is exact. Cost: kOverviewBuckets * 5 bytes each; to build, at most some ten thousand
// nodes per level of a pyramid, and for the first kVotingRows rows the buckets that slices cover.
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

/// The first rows vote for the labels of all buckets that they cover, other rows only in buckets where their slices begin and end:
/// a lane may have millions of slots, each with a slice as long as the trace.
inline constexpr std::size_t kVotingRows = 4096;

/// As a fraction of a bucket.
inline constexpr double kWholeNode = 0.25;

/// In rows with more slices than this, slices of a node that together are shorter than kWholeNode are not read: half of their
/// time counts where the first begins, half where the last ends. Reading them would read most of a mapped file.
inline constexpr std::size_t kExactRow = 1 << 16;

/// Accumulates rows, then rounds. The label is chosen by weighted majority vote (Boyer-Moore): one candidate per bucket, exact if
/// one label has more than half of all votes. A node votes for its longest slice.
class OverviewBuilder {
 public:
  explicit OverviewBuilder(TimeRange extent);

  /// `weight`: 1 / (slots of its lane) if the mean is over lanes.
  void add_row(const IndexedRow& row, double weight = 1);
  void add_overview(const Overview& part);
  /// `parts`: the slots of the lane, or the lanes of the group that have slices; the sum is divided by it.
  Overview finish(std::size_t parts) const;

 private:
  struct Bucket {
    double busy = 0;   ///< in buckets, without spans that cover the whole bucket
    double spans = 0;  ///< spans that cover buckets from this one on, minus those that end here
    double vote = 0;
    LabelId label{};
    bool any = false;
  };
  double place(Ns t) const;
  void add_nodes(const IndexedRow& row, int level, std::size_t first, std::size_t last, double weight, bool votes);
  void add_slices(const RowSlices& row, std::size_t first, std::size_t last, double weight, bool votes);
  void add(std::size_t bucket, double busy, LabelId label);
  void vote(Bucket& to, double busy, LabelId label);

  TimeRange extent_;
  double per_ns_;  // buckets
  std::size_t rows_ = 0;
  std::array<Bucket, kOverviewBuckets + 1> buckets_{};  // one more, for spans that reach the end
};

}  // namespace tv

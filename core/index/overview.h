// The part of the trace that is shown first (Trace::shown) in a fixed number of buckets, per group and per lane with many slices:
// how busy each is, and with what. The minimap and collapsed groups are drawn from it, so that ten thousand lanes cost no
// more than ten.
//
// Utilisation of a lane is the union of its slices (mean over the slots of a packed lane); of a group, the
// mean over the lanes in it that have slices. A row is read through its pyramid, down to nodes shorter than kWholeNode of a
// bucket. Such a node on a border has its busy time split in proportion to its length. So no bucket is off by more than half
// of that, and all of them together are exact. Cost: kOverviewBuckets * 5 bytes each; to build, some ten thousand nodes of a
// row however long it is, and the buckets that slices cover for the first kVotingRows rows.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/index/row_pyramid.h"
#include "core/store/trace/trace.h"

namespace tv {

inline constexpr std::size_t kOverviewBuckets = 1024;

struct Overview {
  std::array<std::uint8_t, kOverviewBuckets> busy{};  ///< 0..255 of the bucket; at least 1 where anything is
  std::array<LabelId, kOverviewBuckets> label{};      ///< the label that fills most of it; meaningless where busy is 0
};

/// The first rows vote for the labels of all buckets they cover, the others for those where their slices
/// begin and end: a lane may have millions of slots, each with a slice as long as the trace.
inline constexpr std::size_t kVotingRows = 4096;

/// As a part of a bucket.
inline constexpr double kWholeNode = 0.25;

/// In rows with more slices than this, those of a node that together are shorter than kWholeNode are not looked at either: they count
/// where the first begins and where the last ends. Looking at them would read most of a file that is mapped.
inline constexpr std::size_t kExactRow = 1 << 16;

/// Accumulates rows, then rounds. A label's share is decided by weighted majority vote (Boyer-Moore): one
/// candidate per bucket, exact whenever one label holds more than half of what has voted. A node votes for its longest slice.
class OverviewBuilder {
 public:
  explicit OverviewBuilder(TimeRange extent);

  /// `weight`: of the row among others.
  void add_row(const IndexedRow& row, double weight = 1);
  void add_overview(const Overview& part);
  /// `parts` = how many rows or overviews share the lane: the result is their mean.
  Overview finish(std::size_t parts) const;

 private:
  struct Bucket {
    double busy = 0;   ///< in buckets, without the spans that cover all of it
    double spans = 0;  ///< that cover buckets from this one on, less those that do no more
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
  std::array<Bucket, kOverviewBuckets + 1> buckets_{};  // one more, where the last spans end
};

}  // namespace tv

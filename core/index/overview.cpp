#include "core/index/overview.h"

#include <algorithm>
#include <cmath>

namespace tv {

OverviewBuilder::OverviewBuilder(TimeRange extent)
    : extent_(extent),
      buckets_per_ns_(static_cast<double>(kOverviewBuckets) / static_cast<double>(std::max<Ns>(extent.length(), 1))) {}

void OverviewBuilder::vote(Bucket& to, double busy, LabelId label) {
  to.any = true;
  if (to.label == label || to.vote == 0) {
    to.label = label;
    to.vote += busy;
  } else if (to.vote >= busy) {
    to.vote -= busy;
  } else {
    to.label = label;
    to.vote = busy - to.vote;
  }
}

void OverviewBuilder::add(std::size_t bucket, double busy, LabelId label) {
  buckets_[bucket].busy += busy;
  vote(buckets_[bucket], busy, label);
}

double OverviewBuilder::place(Ns t) const {
  return std::clamp(static_cast<double>(t - extent_.begin) * buckets_per_ns_, 0.0, static_cast<double>(kOverviewBuckets));
}

void OverviewBuilder::add_row(const IndexedRow& row, double weight) {
  const bool votes = rows_++ < kVotingRows;
  const int levels = row.pyramid.levels();
  if (levels == 0) return add_slices(row.slices, 0, row.slices.size(), weight, votes);
  add_nodes(row, levels - 1, 0, row.pyramid.level(levels - 1).size(), weight, votes);
}

void OverviewBuilder::add_nodes(const IndexedRow& row, int level, std::size_t first, std::size_t last, double weight, bool votes) {
  const std::span<const PyramidNode> nodes = row.pyramid.level(level);
  const SegmentPlace& placed = row.slices.placed();
  for (std::size_t i = first; i < last; ++i) {
    const PyramidNode& node = nodes[i];
    const Ns t0 = placed.time_of(node.t0), t1 = placed.time_of(node.t1);
    if (t1 < extent_.begin || t0 > extent_.end) continue;
    const double from = place(t0), to = place(t1);
    const auto bucket = std::min(static_cast<std::size_t>(from), kOverviewBuckets - 1);
    const bool inside = t0 >= extent_.begin && t1 <= extent_.end, narrow = to - from <= kWholeNode;
    const double busy = static_cast<double>(node.busy) * buckets_per_ns_;
    const bool mostly_idle = level == 0 && row.slices.size() > kExactRow && busy <= kWholeNode;  // the node may be wide
    if (inside && (narrow || mostly_idle)) {
      const double border = static_cast<double>(bucket + 1);
      const double after = to <= border ? 0 : narrow ? (to - border) / (to - from) : 0.5;
      const LabelId label = placed.label_of(node.label);
      add(bucket, busy * (1 - after) * weight, label);
      if (after > 0) add(static_cast<std::size_t>(std::ceil(to)) - 1, busy * after * weight, label);
    } else if (level == 0) {
      add_slices(row.slices, i * kSlicesPerNode, std::min((i + 1) * kSlicesPerNode, row.slices.size()), weight, votes);
    } else {
      const std::size_t below = row.pyramid.level(level - 1).size();
      add_nodes(row, level - 1, i * kFanout, std::min((i + 1) * kFanout, below), weight, votes);
    }
  }
}

void OverviewBuilder::add_slices(const RowSlices& row, std::size_t first, std::size_t last, double weight, bool votes) {
  for (std::size_t i = first; i < last; ++i) {
    if (row.end(i) < extent_.begin || row.begin(i) > extent_.end) continue;
    const double from = place(row.begin(i)), to = place(row.end(i));
    const LabelId label = row.label(i);
    const auto bucket = std::min(static_cast<std::size_t>(from), kOverviewBuckets - 1);
    add(bucket, (std::min(to, static_cast<double>(bucket + 1)) - from) * weight, label);
    const auto end = static_cast<std::size_t>(to);  // the last bucket: covered in part, or not at all
    if (end <= bucket) continue;
    if (end > bucket + 1) {
      buckets_[bucket + 1].spans += weight;
      buckets_[end].spans -= weight;
      for (std::size_t b = bucket + 1; votes && b < end; ++b) vote(buckets_[b], weight, label);
    }
    if (const double part = to - static_cast<double>(end); part > 0) add(end, part * weight, label);
  }
}

void OverviewBuilder::add_overview(const Overview& part) {
  for (std::size_t b = 0; b < kOverviewBuckets; ++b) {
    if (part.busy[b] > 0) add(b, part.busy[b] / 255.0, part.label[b]);
  }
}

Overview OverviewBuilder::finish(std::size_t parts) const {
  Overview out;
  double spans = 0;
  LabelId label{};
  for (std::size_t b = 0; b < kOverviewBuckets; ++b) {
    const Bucket& bucket = buckets_[b];
    spans += bucket.spans;
    // A busy bucket without votes is covered only by rows that do not vote, so it keeps the last label.
    if (bucket.any) label = bucket.label;
    constexpr double kRounding = 1e-9;
    if (!bucket.any && spans <= kRounding) continue;
    const double share = (bucket.busy + spans) / static_cast<double>(std::max<std::size_t>(parts, 1));
    out.busy[b] = static_cast<std::uint8_t>(std::clamp(std::lround(share * 255), 1L, 255L));
    out.label[b] = label;
  }
  return out;
}

}  // namespace tv

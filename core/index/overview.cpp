#include "core/index/overview.h"

#include <algorithm>
#include <cmath>

namespace tv {

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

void OverviewBuilder::add_row(const RowSlices& row, double weight) {
  const double per_ns = static_cast<double>(kOverviewBuckets) /
                        static_cast<double>(std::max<Ns>(extent_.length(), 1));
  const auto place = [&](Ns t) {
    return std::clamp(static_cast<double>(t - extent_.begin) * per_ns, 0.0,
                      static_cast<double>(kOverviewBuckets));
  };
  const bool votes = rows_++ < kVotingRows;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row.end(i) < extent_.begin || row.begin(i) > extent_.end) continue;
    const double from = place(row.begin(i)), to = place(row.end(i));
    const LabelId label = row.label(i);
    const auto bucket = std::min(static_cast<std::size_t>(from), kOverviewBuckets - 1);
    add(bucket, (std::min(to, static_cast<double>(bucket + 1)) - from) * weight, label);
    const auto last = static_cast<std::size_t>(to);  // covered in part, or not at all
    if (last <= bucket) continue;
    if (last > bucket + 1) {
      buckets_[bucket + 1].spans += weight;
      buckets_[last].spans -= weight;
      for (std::size_t b = bucket + 1; votes && b < last; ++b) vote(buckets_[b], weight, label);
    }
    if (const double part = to - static_cast<double>(last); part > 0) add(last, part * weight, label);
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
    // Where nobody voted but something goes on, it began in a bucket before.
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

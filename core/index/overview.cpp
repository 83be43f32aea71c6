#include "core/index/overview.h"

#include <algorithm>
#include <cmath>

namespace tv {

void OverviewBuilder::add(std::size_t bucket, double busy, LabelId label) {
  Bucket& to = buckets_[bucket];
  to.any = true;
  to.busy += busy;
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

void OverviewBuilder::add_row(const RowSlices& row) {
  const double per_ns = static_cast<double>(kOverviewBuckets) /
                        static_cast<double>(std::max<Ns>(extent_.length(), 1));
  const auto place = [&](Ns t) {
    return std::clamp(static_cast<double>(t - extent_.begin) * per_ns, 0.0,
                      static_cast<double>(kOverviewBuckets));
  };
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double from = place(row.begin[i]), to = place(row.end(i));
    auto bucket = std::min(static_cast<std::size_t>(from), kOverviewBuckets - 1);
    add(bucket, std::min(to, static_cast<double>(bucket + 1)) - from, row.label[i]);
    for (++bucket; static_cast<double>(bucket) < to; ++bucket) {
      add(bucket, std::min(to - static_cast<double>(bucket), 1.0), row.label[i]);
    }
  }
}

void OverviewBuilder::add_overview(const Overview& part) {
  for (std::size_t b = 0; b < kOverviewBuckets; ++b) {
    if (part.busy[b] > 0) add(b, part.busy[b] / 255.0, part.label[b]);
  }
}

Overview OverviewBuilder::finish(std::size_t parts) const {
  Overview out;
  for (std::size_t b = 0; b < kOverviewBuckets; ++b) {
    const Bucket& bucket = buckets_[b];
    if (!bucket.any) continue;
    const double share = bucket.busy / static_cast<double>(std::max<std::size_t>(parts, 1));
    out.busy[b] = static_cast<std::uint8_t>(std::clamp(std::lround(share * 255), 1L, 255L));
    out.label[b] = bucket.label;
  }
  return out;
}

}  // namespace tv

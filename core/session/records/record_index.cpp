#include "core/session/records/record_index.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <tuple>

namespace tv {
namespace {

constexpr std::size_t kIndexedPart = 1 << 16;   // slices per parallel task
constexpr std::uint64_t kFewBuckets = 1 << 10;  // always allowed: 8 KiB per source

}  // namespace

RecordIndex::RecordIndex(const Trace& trace, ThreadPool& pool) {
  const std::size_t items = trace.items(), sources = trace.sources.size(), parts = (items + kIndexedPart - 1) / kIndexedPart;
  const auto each_of = [&](std::size_t part, const auto& visit) {
    for_each_slice(trace, part * kIndexedPart, std::min(items, (part + 1) * kIndexedPart),
                   [&](const SegmentSlices& slices, SliceId id) { visit(id, slices.ref_of(id)); });
  };

  std::vector<std::atomic<std::uint64_t>> last(sources), count(sources);
  pool.parallel_for(parts, [&](std::size_t part) {
    std::vector<std::uint64_t> mine(sources), counted(sources);
    each_of(part, [&](SliceId, ItemRef ref) {
      std::uint64_t& most = mine[idx(ref.source())];
      most = std::max(most, ref.offset());
      ++counted[idx(ref.source())];
    });
    for (std::size_t s = 0; s < sources; ++s) {
      count[s] += counted[s];
      std::uint64_t known = last[s];
      while (known < mine[s] && !last[s].compare_exchange_weak(known, mine[s])) {
      }
    }
  });
  bits_.assign(sources, kBucketBits);
  first_bucket_.assign(sources + 1, 0);
  for (std::size_t s = 0; s < sources; ++s) {
    while (last[s] >> bits_[s] > std::max<std::uint64_t>(2 * count[s], kFewBuckets)) ++bits_[s];
    first_bucket_[s + 1] = first_bucket_[s] + (last[s] >> bits_[s]) + 1;
  }
  const auto bucket_of = [&](ItemRef ref) {
    const std::size_t s = idx(ref.source());
    return first_bucket_[s] + (ref.offset() >> bits_[s]);
  };

  const std::size_t buckets = first_bucket_.back();
  std::vector<std::atomic<std::uint64_t>> fill(buckets + 1);
  const auto each = [&](const auto& visit) { pool.parallel_for(parts, [&](std::size_t part) { each_of(part, visit); }); };
  each([&](SliceId, ItemRef ref) { fill[bucket_of(ref) + 1].fetch_add(1, std::memory_order_relaxed); });
  begin_.resize(buckets + 1);
  std::uint64_t sum = 0;
  for (std::size_t b = 0; b <= buckets; ++b) begin_[b] = sum += fill[b];
  for (std::size_t b = 0; b < buckets; ++b) fill[b] = begin_[b];
  first_slice_.assign(sources, 0);
  for (const ViewPart& part : trace.parts) {
    for (std::size_t s = 0; s < part.segment->sources.size(); ++s) first_slice_[part.first_source + s] = part.first_slice;
  }
  slices_.resize(items);
  each([&](SliceId id, ItemRef ref) {
    slices_[fill[bucket_of(ref)].fetch_add(1, std::memory_order_relaxed)] =
        id_at<SegmentSlice>(idx(id) - first_slice_[idx(ref.source())]);
  });
  // Threads fill a bucket in any order, but before() needs it sorted by offset.
  constexpr std::size_t kBucketsPerTask = 256;
  const auto at = [&](std::uint64_t n) { return slices_.begin() + static_cast<std::ptrdiff_t>(n); };
  for (std::size_t s = 0; s < sources; ++s) {
    const SegmentSlices segment(trace, id_at<SliceId>(first_slice_[s]));
    const auto place = [&](SegmentSlice slice) {
      return std::pair(segment.ref_of(id_at<SliceId>(first_slice_[s] + idx(slice))).offset(), slice);
    };
    const std::size_t first = first_bucket_[s], end = first_bucket_[s + 1];
    pool.parallel_for((end - first + kBucketsPerTask - 1) / kBucketsPerTask, [&](std::size_t group) {
      for (std::size_t b = first + group * kBucketsPerTask; b < std::min(end, first + (group + 1) * kBucketsPerTask); ++b) {
        std::sort(at(begin_[b]), at(begin_[b + 1]), [&](SegmentSlice x, SegmentSlice y) { return place(x) < place(y); });
      }
    });
  }
}

std::optional<SliceId> RecordIndex::before(const Trace& trace, SourceId source, std::uint64_t offset) const {
  const std::size_t first = first_bucket_[idx(source)], end = first_bucket_[idx(source) + 1];
  const std::size_t bucket = std::min<std::uint64_t>(first + (offset >> bits_[idx(source)]), end - 1);
  const auto id_of = [&](SegmentSlice slice) { return id_at<SliceId>(first_slice_[idx(source)] + idx(slice)); };
  const auto at = [&](std::uint64_t n) { return slices_.begin() + static_cast<std::ptrdiff_t>(n); };
  const auto after = std::upper_bound(at(begin_[bucket]), at(begin_[bucket + 1]), offset, [&](std::uint64_t byte, SegmentSlice slice) {
    return byte < trace.ref_of(id_of(slice)).offset();
  });
  if (after == at(begin_[first])) return std::nullopt;
  return id_of(*(after - 1));  // may be the last slice of an earlier bucket
}

std::vector<SliceId> RecordIndex::slices_of(SourceId source) const {
  const std::uint64_t first = begin_[first_bucket_[idx(source)]], end = begin_[first_bucket_[idx(source) + 1]];
  std::vector<SliceId> ids;
  ids.reserve(end - first);
  for (const SegmentSlice slice : std::span(slices_).subspan(first, end - first)) {
    ids.push_back(id_at<SliceId>(first_slice_[idx(source)] + idx(slice)));
  }
  return ids;
}

}  // namespace tv

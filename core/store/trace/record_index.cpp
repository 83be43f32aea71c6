#include "core/store/trace/record_index.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <tuple>

namespace tv {
namespace {

constexpr std::size_t kPart = 1 << 16;         // slices that one thread looks at in a row
constexpr std::uint64_t kFewBuckets = 1 << 10;  // cost nothing

}  // namespace

RecordIndex::RecordIndex(const Trace& trace, ThreadPool& pool) {
  const std::size_t items = trace.items(), sources = trace.sources.size(), parts = (items + kPart - 1) / kPart;
  const auto each_of = [&](std::size_t part, const auto& visit) {
    for_each_slice(trace, part * kPart, std::min(items, (part + 1) * kPart),
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
  std::vector<std::atomic<std::uint32_t>> fill(buckets + 1);
  const auto each = [&](const auto& visit) { pool.parallel_for(parts, [&](std::size_t part) { each_of(part, visit); }); };
  each([&](SliceId, ItemRef ref) { fill[bucket_of(ref) + 1].fetch_add(1, std::memory_order_relaxed); });
  begin_.resize(buckets + 1);
  std::uint32_t sum = 0;
  for (std::size_t b = 0; b <= buckets; ++b) begin_[b] = sum += fill[b];
  for (std::size_t b = 0; b < buckets; ++b) fill[b] = begin_[b];
  ids_.resize(items);
  each([&](SliceId id, ItemRef ref) { ids_[fill[bucket_of(ref)].fetch_add(1, std::memory_order_relaxed)] = id; });
  // Threads come in any order: sorting makes the result independent of it.
  constexpr std::size_t kTogether = 256;
  pool.parallel_for((buckets + kTogether - 1) / kTogether, [&](std::size_t group) {
    for (std::size_t b = group * kTogether; b < std::min(buckets, (group + 1) * kTogether); ++b) {
      if (begin_[b] == begin_[b + 1]) continue;
      const SegmentSlices slices(trace, ids_[begin_[b]]);  // those of a source are of one segment
      std::sort(ids_.begin() + begin_[b], ids_.begin() + begin_[b + 1], [&](SliceId x, SliceId y) {
        return std::tuple(slices.ref_of(x).offset(), x) < std::tuple(slices.ref_of(y).offset(), y);
      });
    }
  });
}

std::optional<SliceId> RecordIndex::before(const Trace& trace, SourceId source, std::uint64_t offset) const {
  const std::size_t first = first_bucket_[idx(source)], end = first_bucket_[idx(source) + 1];
  const auto ids_from = ids_.begin() + begin_[first];
  const std::size_t bucket = std::min<std::uint64_t>(first + (offset >> bits_[idx(source)]), end - 1);
  const auto after = std::upper_bound(ids_.begin() + begin_[bucket], ids_.begin() + begin_[bucket + 1], offset,
                                      [&](std::uint64_t at, SliceId id) { return at < trace.ref_of(id).offset(); });
  if (after == ids_from) return std::nullopt;
  return *(after - 1);  // when the bucket has none, the last one of those before it
}

std::span<const SliceId> RecordIndex::of(SourceId source) const {
  const std::uint32_t first = begin_[first_bucket_[idx(source)]], end = begin_[first_bucket_[idx(source) + 1]];
  return std::span(ids_).subspan(first, end - first);
}

}  // namespace tv

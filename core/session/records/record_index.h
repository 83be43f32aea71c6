// Finds the slice whose record contains a byte of a source. A search in the text needs this: its hits are positions, but a trace
// finds slices by time.
//
// Holds, for every slice and instant, its index within its segment, sorted by source and byte offset. Cost: 4 bytes per slice, and
// 8 bytes per bucket. A source has at most two buckets per slice, but may always have 1024. Building takes 20 ns per slice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/store/trace/trace.h"

namespace tv {

class RecordIndex {
 public:
  RecordIndex(const Trace& trace, ThreadPool& pool);

  /// The last slice whose record begins at or before the byte; the record may have ended before the byte. Among slices that share
  /// a record (a pipeline's step and its first job), returns the one on the last lane.
  std::optional<SliceId> before(const Trace& trace, SourceId source, std::uint64_t offset) const;
  /// All slices of a source, in the order of its text. O(result).
  std::vector<SliceId> slices_of(SourceId source) const;

 private:
  /// A bucket covers 64 KiB of text, about 200 slices. It covers more where offsets are rows of tables and have wide gaps.
  static constexpr int kBucketBits = 16;

  std::vector<std::uint8_t> bits_;          ///< bits of an offset within a bucket, per source
  std::vector<std::size_t> first_bucket_;   ///< per source, and one past the last
  std::vector<std::uint64_t> first_slice_;  ///< per source: the first slice of its segment
  std::vector<std::uint64_t> begin_;        ///< per bucket, and one past the last: its first index in slices_
  std::vector<SegmentSlice> slices_;
};

}  // namespace tv

// Finds the slice whose record contains a byte of a source, for searches in the text: a trace finds slices by time, but a hit is
// a position.
//
// Holds the numbers of all slices and instants within their segments, sorted by source and byte offset. Cost: 4 bytes per slice,
// and 20 ns each to build.
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

  /// The last slice whose record begins at or before the byte; its record may have ended before it. Among slices that
  /// share a record (a pipeline's step and its first job) it is the one on the last lane.
  std::optional<SliceId> before(const Trace& trace, SourceId source, std::uint64_t offset) const;
  /// All slices of a source, in the order of its text. O(result).
  std::vector<SliceId> of(SourceId source) const;

 private:
  /// A bucket covers 64 KiB of text, about 200 slices; more if offsets are not bytes and have wide gaps (rows of tables).
  static constexpr int kBucketBits = 16;

  std::vector<std::uint8_t> bits_;          ///< bits of an offset within a bucket, per source
  std::vector<std::size_t> first_bucket_;   ///< per source, and one past the last
  std::vector<std::uint64_t> first_slice_;  ///< per source: the first of its segment
  std::vector<std::uint64_t> begin_;        ///< per bucket, and one past the last: into slices_
  std::vector<SegmentSlice> slices_;
};

}  // namespace tv

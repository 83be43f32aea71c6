// The entries of the index cache. Each segment is a file of its own, so that one changed file of 1,200 leaves the other entries
// valid. An entry is a mapped packed trace (packed_trace.h) without records, which stay in the original files.
//
//   ~/.cache/traceview/<hash of the first file's path and of the choice>.tvx
//
// An entry is valid if it names the running program, and the present size and modification time of each source file. Otherwise
// the files are read again, and the new entry replaces the old one. Entries are written atomically.
// Cost: 42 bytes per slice on disk. find_segment() reads the tables, and the columns if it checks them.
#pragma once

#include <stop_token>
#include <string>

#include "core/session/held/held_segments.h"

namespace tv {

/// The cache key of a segment: its files and `choice`.
CacheKey cache_key(const Trace& segment, std::string choice);

/// The size of the cached segment that begins with this file. 0: there is none.
std::uint64_t segment_bytes(const CacheOptions& options, const std::string& choice, const std::string& first_file);
/// This segment, mapped, or the reason why there is none. `columns`: Mapped checks the columns, Unchecked does not.
Result<HeldSegment> find_segment(const CacheOptions& options, const std::string& choice, const std::string& first_file,
                                 ColumnsAre columns, ThreadPool& pool);
/// Writes the entry of a segment. Also fails if one of its files has changed meanwhile.
Result<void> keep_segment(const CacheOptions& options, const std::string& choice, const Trace& segment, const SegmentIndex& index,
                          ThreadPool& pool, std::stop_token stop);
/// The path of the entry for the segment that begins with this file.
std::string segment_path(const CacheOptions& options, const std::string& choice, const std::string& first_file);

}  // namespace tv

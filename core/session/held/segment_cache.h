// The entries of the index cache: one file per segment, written after it is made and mapped by later loads, so that one changed
// file of 1,200 leaves the others valid. An entry is a mapped packed trace (packed_trace.h) without records, which stay in the
// original files.
//
//   ~/.cache/traceview/<hash of the first file's path and of the choice>.tvx
//
// An entry is valid if it names the running program, and the present size and modification time of each of its files. Otherwise
// the files are read again, and the new entry replaces the old one. Entries are written atomically.
// Cost: 42 bytes per slice on disk. Finding one reads the tables, and the columns if they are checked.
#pragma once

#include <stop_token>
#include <string>

#include "core/session/held/held_segments.h"

namespace tv {

/// The cache key of a segment: its files and `choice`.
CacheKey cache_key(const Trace& segment, std::string choice);

/// The size of the cached segment that begins with this file. 0: there is none.
std::uint64_t segment_bytes(const CacheOptions& options, const std::string& choice, const std::string& first_file);
/// That segment, mapped, or the reason why there is none. `columns`: checked (Mapped) or not (Unchecked).
Result<HeldSegment> find_segment(const CacheOptions& options, const std::string& choice, const std::string& first_file,
                                 ColumnsAre columns, ThreadPool& pool);
/// Writes it. Also an error if one of its files has changed meanwhile.
Result<void> keep_segment(const CacheOptions& options, const std::string& choice, const Trace& segment, const SegmentIndex& index,
                          ThreadPool& pool, std::stop_token stop);
/// The path of its entry.
std::string segment_path(const CacheOptions& options, const std::string& choice, const std::string& first_file);

}  // namespace tv

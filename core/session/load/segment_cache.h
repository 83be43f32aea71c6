// What was read of files that are together too much for memory: each segment is written to a file of the cache as soon as it is
// made, and mapped from then on (packed_trace.h: as a mapped trace, without records, which stay in the files themselves).
//
//   ~/.cache/traceview/<hash of the paths>.part0.tvx, .part1.tvx, ...
//
// It is believed as the cache's entries are (trace_cache.h). Cost: 42 bytes per slice on disk; to find, the tables alone.
#pragma once

#include <stop_token>

#include "core/index/snapshot.h"
#include "core/session/load/kept_segments.h"

namespace tv {

/// Those of these files, mapped, or why there are none.
Result<KeptSegments> find_segments(const CacheOptions& options, const CacheKey& files, ThreadPool& pool);
/// Writes those of a load of these files, which is not needed any more then.
Result<KeptSegments> keep_segments(const CacheOptions& options, const CacheKey& files, const Snapshot& loaded, ThreadPool& pool,
                                   std::stop_token stop);

}  // namespace tv

// For files that do not fit into memory together: each rank is read alone (by a LoadJob of its own), written to the index cache
// and mapped. The view then reuses these segments like those of an earlier load. Runs are aligned by moving whole segments;
// nothing moves within a segment.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/index/snapshot.h"
#include "core/session/files/load_options.h"
#include "core/session/files/load_source.h"
#include "core/session/held/held_segments.h"

namespace tv {

/// Groups the files of the same rank and folder; a file without a rank is a group of its own. Leaves out logs: they depend on
/// each other, so they are read after the ranks.
std::vector<std::vector<LoadSource*>> files_by_rank(const LoadSources& sources);

/// The options for reading one rank. `memory_limit`: in bytes.
LoadOptions options_of_rank(LoadOptions options, std::uint64_t memory_limit);

struct CachedRank {
  HeldSegments segments;     ///< mapped
  std::string failure = {};  ///< why the other segments of the rank are missing; empty: none is
};
/// Writes all segments of the rank to the cache and maps them. `choice`: of their keys (CacheKey::choice).
CachedRank cache_rank(const Snapshot& read, const CacheOptions& cache, const std::string& choice, ThreadPool& pool, std::stop_token stop);

}  // namespace tv

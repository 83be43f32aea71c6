// The folder of the index cache: data read from files is mapped the next time, as long as none of them has changed.
//
//   ~/.cache/traceview/<hash>.tvx                  a segment (segment_cache.h)
//   ~/.cache/traceview/nsys/<hash>.sqlite          nsys' database of a report (nsys_export.h); its records are read there
//
// If entries take more room than allowed, the least recently used are removed first.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/io/streams/plain_file.h"
#include "core/store/trace/trace.h"

namespace tv {

struct CacheOptions {
  std::string folder;                       ///< empty: no cache
  std::string program;                      ///< identifies the build: entries written by another build are not used
  bool believe = true;                      ///< false: entries are written, but not read
  std::uint64_t most_bytes = 16ULL << 30;   ///< for all entries together
  std::uint64_t least_bytes = 8ULL << 20;   ///< a load with less (in memory) is as fast without the cache
};

/// Identifies the files that a segment was made from.
struct CacheKey {
  struct File {
    std::string path;
    FileIdentity identity;
    Ns clock_offset = 0;
  };
  std::vector<File> files;  ///< in the order in which they are read
  std::string choice;       ///< the selected part: ranks, steps, roles; for a time window, all that determines its position

  /// Differs between builds of the program, too.
  std::string text(const CacheOptions& options) const;
};

/// Whether its files have not changed.
bool unchanged(const CacheKey& key);
/// Marks an entry as the most recently used.
void touch_entry(const std::string& path);

/// The folder of databases exported by other programs.
std::string exports_folder(const std::string& folder);
/// The exported databases that a trace needs for its records.
std::vector<std::string> exports_of(const Trace& trace);
/// Removes old partial files, then the least recently used entries above the limit, but none in `in_use`.
void trim_cache(const CacheOptions& options, const std::vector<std::string>& in_use);

struct CacheEntry {
  std::string path;
  std::uint64_t bytes = 0;
  std::int64_t used_ns = 0;  ///< since the epoch
};

/// Includes exports, but not files that are still being written. The most recently used come first.
std::vector<CacheEntry> cache_entries(const std::string& folder);
/// Removes all of them, and the files that interrupted programs left. Open ones stay usable.
Result<void> clear_cache(const std::string& folder);

}  // namespace tv

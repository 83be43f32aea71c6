// The folder of the index cache. Later loads map data that was read once, as long as none of its files has changed.
//
//   ~/.cache/traceview/<hash>.tvx                  a segment (segment_cache.h)
//   ~/.cache/traceview/nsys/<hash>.sqlite          the database that nsys exported from a report (nsys_export.h), for records
//
// If the entries take more room than allowed, the least recently used are removed.
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
  bool believe = true;                      ///< false: entries are only written, never read
  std::uint64_t most_bytes = 16ULL << 30;   ///< for all entries together
  std::uint64_t least_bytes = 8ULL << 20;   ///< a load of less data (in memory) is as fast without the cache
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

  /// The key as text. It also names the build of the program.
  std::string text(const CacheOptions& options) const;
};

/// Whether no file of the key has changed.
bool unchanged(const CacheKey& key);
/// Marks an entry as the most recently used.
void touch_entry(const std::string& path);

/// The folder for databases that other programs exported, in the cache `folder`.
std::string exports_folder(const std::string& folder);
/// Paths of the exported databases that a trace needs for its records.
std::vector<std::string> exports_of(const Trace& trace);
/// Removes old partial files, then the least recently used entries above the limit, but none of the paths `in_use`.
void trim_cache(const CacheOptions& options, const std::vector<std::string>& in_use);

struct CacheEntry {
  std::string path;
  std::uint64_t bytes = 0;
  std::int64_t used_ns = 0;  ///< since the epoch
};

/// All entries and exports, but no files that are still being written. The most recently used come first.
std::vector<CacheEntry> cache_entries(const std::string& folder);
/// Removes all entries, and the files that interrupted programs left. Entries that are open stay usable.
Result<void> clear_cache(const std::string& folder);

}  // namespace tv

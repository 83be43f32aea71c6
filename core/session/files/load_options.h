// How a load reads its files: the user's settings, and which memory, cache and data of earlier loads it may use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/io/files/file_state.h"
#include "core/read/reader.h"
#include "core/session/held/index_cache.h"
#include "core/session/held/segment_store.h"
#include "core/store/segments/read_settings.h"

namespace tv {

struct LoadOptions : ReadSettings {
  std::size_t chunk_bytes = 0;  ///< bytes parsed at a time; 0 = by the size of the file
  bool progressive = true;  ///< publish intermediate views, not only the last
  /// A view on the way is made only if this many seconds are left: at 1/16 of the bytes, and with reused segments at 1/64. At 1/4,
  /// five times as many must be left.
  double patience = 2;
  CacheOptions cache = {};
  ReadTools tools = {};
  bool stays = false;   ///< publish nothing if the data do not fit into memory: the old view, which shows all open files, stays
  bool follow = false;  ///< files are being written: unfinished last lines are left out, and nothing is cached
  std::shared_ptr<const FilesByPath> seen = {};  ///< a follower's file states, if the file system reports late (find_files.h)
  std::shared_ptr<SegmentStore> store = {};  ///< segments of other tabs, to be reused unless files are followed
  bool hold_logs = false;  ///< keep the data of small logs for the next job; when following, of all logs
  bool check_packed = false;  ///< check packed traces completely first, because all of them will be read
  bool again = false;  ///< read everything again if nothing has changed since an earlier load
  bool align_given = false;  ///< the user chose `align`. Not used by LoadJob: saved views do not change it then
  bool align_by_barriers = false;  ///< not used by LoadJob: the caller loads again with the offsets that barrier_clock.h proposes
  std::uint64_t memory_limit = 0;  ///< bytes; 0 = nine tenths of available memory
};

/// The settings saved with a view; settings that the user gave take precedence. Alignment by barriers begins at the saved clocks.
ReadSettings given_or_saved(const LoadOptions& given, ReadSettings saved);

}  // namespace tv

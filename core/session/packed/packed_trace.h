// A packed trace is one file with a loaded trace and the text of all its sources. It opens on another machine without the
// sources, and the record of every slice can be read there. There is a larger form that is mapped: opening reads only its tables,
// and slices are read only when they are shown, so the trace need not fit into memory.
//
//   trace_file.h         │ packed; or plain, and index_file.h
//                        │ "text 0" │ "text 1" │ ...     the sources' inflated texts, blocks of zstd
//                        │ "view"                        how the trace was shown, with notes (shown_state.h); optional
//                        │ "packed from"                 the identity of the sources, to skip packing them again (pack_items.h)
//
// Cost of writing: zstd, about 40 MB of text per second and core. Opening takes 0.8 s for 7.6 M slices. The mapped form takes 42
// bytes per slice on disk and opens in some milliseconds.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/base/threads/thread_pool.h"
#include "core/index/segment_index.h"
#include "core/store/trace/trace.h"

namespace tv {

struct PackTotals {
  std::uint64_t text_bytes = 0;   ///< of the sources, inflated
  std::uint64_t packed_bytes = 0;
  std::size_t sources = 0;
};

struct PackChoice {
  std::string_view view = {};       ///< to_json() of a ShownState, or empty
  bool records = true;              ///< include the texts of the sources
  bool mapped = false;              ///< slices in memory layout, with their index
  std::string_view made_from = {};  ///< identity of the sources, for is_made_from(); or empty
};

/// The sources' files must be unchanged since the trace was loaded. `text_bytes_done` grows during packing.
Result<PackTotals> pack_trace(const Trace& trace, const std::string& path, ThreadPool& pool,
                              std::atomic<std::uint64_t>& text_bytes_done, const PackChoice& choice = {});
/// Whether the file exists, has a complete table, and was packed with `words` as `made_from`.
bool is_made_from(const std::string& path, std::string_view words, ThreadPool& pool);

/// Looks at the first bytes. An error if they cannot be read; false for anything that is not a file.
Result<bool> is_packed_trace(const std::string& path);
/// The view in a packed trace. Empty: there is none, or it cannot be read.
std::string packed_view(const std::string& path, ThreadPool& pool);
struct PackedSegment {
  std::shared_ptr<const Trace> trace;         ///< its sources name the sections with their texts
  std::shared_ptr<const SegmentIndex> index;  ///< of a mapped trace; otherwise null
};
/// Which checksums of a mapped trace open_packed() verifies before it returns.
enum class PackedCheck : std::uint8_t {
  Tables,  ///< the tables; blocks of slices are verified at first touch. A file with known damage (known_damage.h) gets All
  All,     ///< all of them, for callers that will read the whole trace
};
/// The trace in a packed file. If a check finds damage only in the index, the index is null, and slices are read instead of
/// mapped. PackedCheck::Tables checks only the index's list of slots; if that is damaged, everything is checked.
Result<PackedSegment> open_packed(const std::string& path, ThreadPool& pool, PackedCheck checked = PackedCheck::Tables);

}  // namespace tv

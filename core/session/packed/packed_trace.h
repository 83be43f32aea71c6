// One file that holds a loaded trace and the text of all its sources: it opens on another machine without the sources, and the
// record of every slice can be read there. A larger form is mapped: opening it reads only its tables, and slices are read only
// when they are shown, so it need not fit into memory.
//
//   trace_file.h         │ packed; or plain, and index_file.h
//                        │ "text 0" │ "text 1" │ ...     the sources' inflated texts, blocks of zstd
//                        │ "view"                        the view of it, with notes (shown_state.h), if there is one
//                        │ "packed from"                 the identity of its files, to skip packing them again (pack_items.h)
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
  std::string_view view = {};       ///< to_json() of a ShownState, or nothing
  bool records = true;              ///< include the texts
  bool mapped = false;              ///< slices in memory layout, with their index
  std::string_view made_from = {};  ///< the text that is_made_from() compares, or empty
};

/// The sources' files must be unchanged since the trace was loaded. `text_bytes_done` grows during packing.
Result<PackTotals> pack_trace(const Trace& trace, const std::string& path, ThreadPool& pool,
                              std::atomic<std::uint64_t>& text_bytes_done, const PackChoice& choice = {});
/// Whether the file exists, has a complete table, and was packed with `words` as `made_from`.
bool is_made_from(const std::string& path, std::string_view words, ThreadPool& pool);

/// Decided by the first bytes. An error if they cannot be read; false for anything that is not a file.
Result<bool> is_packed_trace(const std::string& path);
/// The view in such a file. Empty: there is none, or it cannot be read.
std::string packed_view(const std::string& path, ThreadPool& pool);
struct PackedSegment {
  std::shared_ptr<const Trace> trace;         ///< its sources name the sections with their texts
  std::shared_ptr<const SegmentIndex> index;  ///< for a mapped file; otherwise null
};
/// Which checksums of a mapped trace open_packed() verifies before it returns.
enum class PackedCheck : std::uint8_t {
  Tables,  ///< the tables; blocks of slices at first touch. All, if the file is known to be damaged (known_damage.h)
  All,     ///< everything, for callers that will read all of it
};
/// The trace in such a file. If only the index is damaged, the index is null, and slices are read instead of mapped.
Result<PackedSegment> open_packed(const std::string& path, ThreadPool& pool, PackedCheck checked = PackedCheck::Tables);

}  // namespace tv

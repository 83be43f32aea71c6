// Segments that an earlier load made. The next load reuses them as they are and reads only the other files.
//
// A segment is reused only if each of its files is requested again, is unchanged, and is to be read the same way. Only a segment of
// logs also depends on other files (log_evidence.h). Cost: O(files).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/index/snapshot.h"
#include "core/index/trace_index.h"
#include "core/io/files/file_state.h"
#include "core/read/reader.h"
#include "core/session/held/index_cache.h"
#include "core/store/draft/source_draft.h"
#include "core/store/segments/compose.h"

namespace tv {

struct HeldSegment {
  CacheKey key;  ///< names all its files; for a packed trace, only the packed file
  std::shared_ptr<const Trace> segment;
  std::shared_ptr<const SegmentIndex> index;
  std::string part = {};  ///< the path of its cache entry (segment_cache.h); empty: it has none
};
using HeldSegments = std::vector<HeldSegment>;

struct ReusedSegment : HeldSegment {
  Ns manual_offset = 0;  ///< by how much the user has moved it since it was read
};

/// The data of a log. They are kept because a log is placed again when any other file changes.
struct ReadLog {
  const Reader* reader = nullptr;
  std::optional<std::int64_t> rank;
  bool followed = false;  ///< read while followed, so that an unfinished last line was left out
  SourceView view;
};
using ReadLogs = std::map<std::string, std::shared_ptr<const ReadLog>, std::less<>>;  // by path

/// The segments built from a run's rollouts (grown_logs.h).
struct BuiltLogs {
  Segments segments;  ///< in the order of their files
  std::vector<std::shared_ptr<const ReadLog>> files = {};  ///< by source; null: the file shows nothing
  std::size_t refused_at = 0;  ///< the segments of this many first files could not be extended; 0: not tried, or they could
};

/// Weak references to the trace and the index of the view that is shown now. The Snapshot itself cannot be referenced, because
/// the session numbers a copy of it.
class ShownView {
 public:
  ShownView() = default;
  explicit ShownView(const Snapshot& snapshot) : trace_(snapshot.trace), index_(snapshot.index) {}

  /// Empty when the view is no longer in use.
  std::optional<Snapshot> lock() const {
    Snapshot snapshot{trace_.lock(), index_.lock()};
    return snapshot.trace && snapshot.index ? std::optional(std::move(snapshot)) : std::nullopt;
  }

 private:
  std::weak_ptr<const Trace> trace_;
  std::weak_ptr<const TraceIndex> index_;
};

/// All that an earlier load leaves for the next.
struct EarlierLoad {
  HeldSegments segments;
  ComparedClocks clocks;  ///< of these segments
  ShownView shown;        ///< the last view
  ReadLogs logs = {};
  std::vector<BuiltLogs> built = {};  ///< from these logs
  FilesByPath states = {};            ///< of all files just before they were read, if they are followed
};

/// `CacheKey::choice` of packed traces: no choice changes their contents.
inline constexpr std::string_view kPackedChoice = "packed";

}  // namespace tv

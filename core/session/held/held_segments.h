// Segments that an earlier load made. The next load reuses them as they are and reads only the other files.
//
// A segment is reused as a whole, if each of its files is requested again, is unchanged, and is to be read the same way. It does
// not depend on other files, except for a segment of logs (beside_logs.h). Cost: O(files).
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
  CacheKey key;  ///< all its files; for a packed trace, only the trace itself
  std::shared_ptr<const Trace> segment;
  std::shared_ptr<const SegmentIndex> index;
  std::string part = {};  ///< the path of its cache entry, if it has one (segment_cache.h)
};
using HeldSegments = std::vector<HeldSegment>;

struct ReusedSegment : HeldSegment {
  Ns manual_offset = 0;  ///< by how much the user moved it since it was read
};

/// The data read from a log: it is placed again when any other file changes.
struct ReadLog {
  const Reader* reader = nullptr;
  std::optional<std::int64_t> rank;
  bool followed = false;  ///< read while followed: without an unfinished last line
  SourceView view;
};
using ReadLogs = std::map<std::string, std::shared_ptr<const ReadLog>, std::less<>>;  // by path

/// The segments built from a run's rollouts (grown_logs.h).
struct BuiltLogs {
  Segments segments;  ///< one after the other
  std::vector<std::shared_ptr<const ReadLog>> files = {};  ///< by source; null: it shows nothing
  std::size_t refused_at = 0;  ///< the number of first files to which the others could not be added
};

/// Weak references to the trace and the index of the view that is shown now. The Snapshot itself cannot be referenced: the
/// session copies it to number it.
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
  ReadLogs files;
  std::vector<BuiltLogs> built = {};  ///< of these files
  FilesByPath states = {};            ///< states just before the files were read, if they are followed
};

/// `CacheKey::choice` of packed traces: no choice changes their contents.
inline constexpr std::string_view kPackedChoice = "packed";

}  // namespace tv

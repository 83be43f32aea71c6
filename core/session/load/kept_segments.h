// Segments that an earlier load made: the next one uses them as they are, and reads only the other files.
//
// A segment is taken as a whole, if each of its files is asked for again, is unchanged, and is to be read the same way. It does not
// depend on other files, unless it is of logs (beside_logs.h). Cost: O(files).
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
#include "core/session/load/index_cache.h"
#include "core/store/draft/source_draft.h"
#include "core/store/segments/compose.h"

namespace tv {

struct KeptSegment {
  CacheKey made_of;  ///< all its files; of a packed trace, that alone
  std::shared_ptr<const Trace> segment;
  std::shared_ptr<const SegmentIndex> index;
  std::string part = {};  ///< the file that it is mapped from, where that is one of the cache (segment_cache.h)
};
using KeptSegments = std::vector<KeptSegment>;

/// The data read from a log: it is placed again when any other file changes.
struct KeptFile {
  const Reader* reader = nullptr;
  std::optional<std::int64_t> rank;
  bool followed = false;  ///< a last line without an end waits
  SourceView view;
};
using KeptFiles = std::map<std::string, std::shared_ptr<const KeptFile>, std::less<>>;  // by path

/// The segments built of a run's rollouts (grown_logs.h).
struct BuiltLogs {
  Segments segments;  ///< one after the other
  std::vector<std::shared_ptr<const KeptFile>> files = {};  ///< by source; null: it shows nothing
  std::size_t refused_at = 0;  ///< after this many files it was tried to join the others, and could not be done
};

/// The present picture, while it is in use. It is identified by its parts, since every user of a picture makes a numbered copy.
class ShownPicture {
 public:
  ShownPicture() = default;
  explicit ShownPicture(const Snapshot& snapshot) : trace_(snapshot.trace), index_(snapshot.index) {}

  /// Empty when the picture is not in use any more.
  std::optional<Snapshot> lock() const {
    Snapshot snapshot{trace_.lock(), index_.lock()};
    return snapshot.trace && snapshot.index ? std::optional(std::move(snapshot)) : std::nullopt;
  }

 private:
  std::weak_ptr<const Trace> trace_;
  std::weak_ptr<const TraceIndex> index_;
};

/// All that an earlier load leaves.
struct KeptLoad {
  KeptSegments segments;
  ComparedClocks clocks;  ///< of these segments
  ShownPicture shown;     ///< the last picture
  KeptFiles files;
  std::vector<BuiltLogs> built = {};  ///< of these files
  FilesByPath states = {};            ///< states just before the files were read, if they are followed
};

/// `CacheKey::choice` of packed traces: no choice changes their contents.
inline constexpr std::string_view kPackedChoice = "packed";

/// The segments of a view; of a segment itself; null: none.
Segments segments_of(const std::shared_ptr<const Trace>& trace);
/// All its sources were read, and would be the same the next time.
bool is_whole(const std::shared_ptr<const Trace>& segment);
/// Whether no other file tells how it is made: it has no logs (beside_logs.h).
bool stands_alone(const Trace& segment);

}  // namespace tv

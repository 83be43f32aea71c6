// Segments that an earlier load made: the next one has them as they are, and reads only what is beside them.
//
// A segment that was read is taken as a whole, when each of its files is asked for again, is unchanged, and is to be read the same way;
// and only beside files that would be segments of their own if all were read at once (segment_groups.h). Cost: O(files + lanes).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/index/snapshot.h"
#include "core/index/trace_index.h"
#include "core/io/files/file_state.h"
#include "core/read/reader.h"
#include "core/session/load/trace_cache.h"
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

/// What was read of a log: it is placed anew when anything else changes.
struct KeptFile {
  const Reader* reader = nullptr;
  std::optional<std::int64_t> rank;
  bool followed = false;  ///< a last line without an end waits
  SourceView view;
};
using KeptFiles = std::map<std::string, std::shared_ptr<const KeptFile>, std::less<>>;  // by path

/// What was built of the rollouts of a run (grown_logs.h).
struct BuiltLogs {
  Segments segments;  ///< one after the other
  std::vector<std::shared_ptr<const KeptFile>> files = {};  ///< by source; null: it shows nothing
  std::size_t refused_at = 0;  ///< behind so many files it was tried to join the others, and could not be done
};

/// What is shown, while anybody shows it. Its parts are what is told by: who shows a picture numbers it anew, and so has another.
class ShownPicture {
 public:
  ShownPicture() = default;
  explicit ShownPicture(const Snapshot& snapshot) : trace_(snapshot.trace), index_(snapshot.index) {}

  /// Nothing when nobody shows it any more.
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
  ShownPicture shown;     ///< what was shown last
  KeptFiles files;
  std::vector<BuiltLogs> built = {};  ///< of these files
  FilesByPath states = {};            ///< what there was just before it was read, where it is followed
};

/// What `CacheKey::choice` is of packed traces: nothing else changes what is in them.
inline constexpr std::string_view kPackedChoice = "packed";

/// The segments of a view; of a segment itself; null: none.
Segments segments_of(const std::shared_ptr<const Trace>& trace);
/// All its sources were read, and would be the same the next time.
bool is_whole(const std::shared_ptr<const Trace>& segment);
/// Whether nothing else tells how it is made: it is not aligned, and has no logs (beside_logs.h).
bool stands_alone(const Trace& segment);

/// Tells of files whether they may lie beside segments that stay as they are, and are there as long as this is.
class PlaceBeside {
 public:
  explicit PlaceBeside(const Segments& segments);
  void add(const Trace& segment);
  /// Of a file that is going to be read, by what it is.
  bool admits(const std::string& path, const Reader& reader) const;
  /// Of one that was read, by what is in it.
  bool admits(const SourceView& file) const;
  /// Of another segment, as it is.
  bool admits(const Trace& segment) const;

 private:
  bool has_process_of(const SourceInfo& source) const;

  std::set<std::string, std::less<>> reports_;  // of Nsight Systems, without the ending
  std::multimap<std::int64_t, const SourceInfo*> by_pid_;
  std::unordered_set<std::string> lanes_;  // with content
};

/// Whether these may, as they are: no two have a lane, a process or a report in common.
bool lie_beside_each_other(const Segments& segments);

}  // namespace tv

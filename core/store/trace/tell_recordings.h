// Makes equal names of outermost lanes unique: traces of one rank before and after a change, windows of its profiler that are not
// one process (process_lanes.h), or files of one name in two folders. The part that differs between their files is added
// (distinct_names.h):
//
//   before/rank0.json   rank 0, before           a.nsys-rep   python, a, pid 4711
//   after/rank0.json    rank 0, after            b.nsys-rep   python, b, pid 815
//
// Lanes of logs keep their names, which are the names of their runs everywhere. The file's part is stored as a fact of its source
// (SourceInfo::facts). A view uses it to restore a lane's own name and to name it again, so that names do not depend on the order
// of files. Sources of one recording, such as all ranks before the change, share this part. Other files in the same folder belong
// to the recording, too.
//
// Cost: O(outermost lanes log sources), plus O(rows) for lanes that would have the same name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/store/trace/trace.h"

namespace tv {

/// The last step of building a trace. Lane names must not contain file names yet.
void tell_recordings(Trace& trace);

/// Finds the file of an outermost lane. Valid as long as the trace.
class LaneFiles {
 public:
  explicit LaneFiles(const Trace& trace);

  /// The source whose path starts an outermost lane's key. A file with several ranks has keys such as "path rank 3".
  std::optional<SourceId> by_key(std::string_view key) const;
  /// Nullopt if several files have lanes in this group.
  std::optional<SourceId> of(LaneId outermost) const;
  /// The name of an outermost lane without the file's part.
  std::string name_alone(LaneId outermost) const;
  /// The recording that it belongs to: "before". Empty if a rank was recorded once, or if several files have the lane.
  std::string_view recording(LaneId outermost) const;

 private:
  const Trace& trace_;
  std::map<std::string_view, SourceId> by_path_;
  bool named_ = false;  ///< any source has a name fact
};

/// The recording that the source belongs to. Empty if there is none.
std::string_view recording_of(const SourceInfo& source);

/// The path that identifies a source. In a packed trace, the packed file's path comes first.
std::string path_of(const SourceInfo& source);

}  // namespace tv

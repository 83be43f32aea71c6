// Makes the names of outermost lanes unique. Several lanes have one name if a rank was recorded before and after a change, if
// windows of its profiler are not joined (process_lanes.h), or if files in two folders have one name. The part in which the paths
// of their files differ is added (distinct_names.h):
//
//   before/rank0.json   rank 0, before           a.nsys-rep   python, a, pid 4711
//   after/rank0.json    rank 0, after            b.nsys-rep   python, b, pid 815
//
// Lanes of logs keep their names, because their runs have these names everywhere. The added part is stored as a fact of the
// source (SourceInfo::facts). A view uses it to restore the original name of a lane, and then names the lane again, so that names
// do not depend on the order of files. The sources of one recording, such as all ranks before the change, have the same part.
// Other files in the same folder belong to the recording, too.
//
// Cost: O(outermost lanes log sources), plus O(rows) for lanes that would have the same name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/store/trace/trace.h"

namespace tv {

/// The last step of building a trace. Lanes must have their original names.
void tell_recordings(Trace& trace);

/// Finds the file of an outermost lane. The trace must outlive it.
class LaneFiles {
 public:
  explicit LaneFiles(const Trace& trace);

  /// The source whose path begins the key of an outermost lane: the key is the path or, in a file with several ranks, "path rank
  /// 3".
  std::optional<SourceId> by_key(std::string_view key) const;
  /// The source of the lane. Nullopt if several files have slices in its group.
  std::optional<SourceId> of(LaneId outermost) const;
  /// The original name of the lane, without the added part.
  std::string name_alone(LaneId outermost) const;
  /// The recording that the lane belongs to: "before". Empty if each rank was recorded once, or if several files have the lane.
  std::string_view recording(LaneId outermost) const;

 private:
  const Trace& trace_;
  std::map<std::string_view, SourceId> by_path_;
  bool named_ = false;  ///< some source has an added part
};

/// The recording that a source belongs to. Empty: none.
std::string_view recording_of(const SourceInfo& source);

/// The path that identifies a source. For a source in a packed trace, it begins with the path of the packed trace.
std::string path_of(const SourceInfo& source);

}  // namespace tv

// Traces of one rank before and after a change, windows of its profiler that are not one process (process_lanes.h), files of
// one name in two folders: their outermost lanes would be called alike. They are named by what differs in their files
// (told_apart.h):
//
//   before/rank0.json   rank 0, before           a.nsys-rep   python, a, pid 4711
//   after/rank0.json    rank 0, after            b.nsys-rep   python, b, pid 815
//
// Lanes of logs stay as they are: they are called as runs are, everywhere. The name of the file is a fact of its source
// (SourceInfo::facts). From it a view finds what a lane was called alone and names it anew, so that names do not depend on the
// order in which files came. Sources of one recording, such as all ranks before the change, have the same one; files in the
// same folder as one of them belong to it, too.
//
// Cost: O(outermost lanes log sources), and of those that would be called alike O(rows).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/store/trace/trace.h"

namespace tv {

/// The last step of building a trace. No lane's name has a file's in it yet.
void tell_recordings(Trace& trace);

/// Which file an outermost lane is of. Valid as long as the trace.
class LaneFiles {
 public:
  explicit LaneFiles(const Trace& trace);

  /// That whose path an outermost lane's key begins with: of a file with several ranks it is "path rank 3".
  std::optional<SourceId> by_key(std::string_view key) const;
  /// Nullopt where several files have lanes in this group.
  std::optional<SourceId> of(LaneId outermost) const;
  /// What an outermost lane is called without the name of its file.
  std::string name_alone(LaneId outermost) const;
  /// Which recording it is a part of: "before". Empty where a rank was recorded once, or several files have the lane.
  std::string_view recording(LaneId outermost) const;

 private:
  const Trace& trace_;
  std::map<std::string_view, SourceId> by_path_;
  bool named_ = false;  ///< any file
};

/// Which recording the source is a part of, likewise.
std::string_view recording_of(const SourceInfo& source);

/// The path that a source is told by: in a packed trace, after that one's.
std::string path_of(const SourceInfo& source);

}  // namespace tv

// Finds the regular files below given paths (given_path.h), in folders recursively and in natural order. Hidden files and folders
// are left out, and so are files that this program has not finished writing (new_file.h). These are found only if given by name:
// pipes, view files, and the files of traceview's own reports, which lie next to traces. An archive counts as a folder of its
// files; a zip with one file counts as that file. Several paths keep their order, but alphabetical order, which a shell wildcard
// produces, becomes natural order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/io/archives/archive_file.h"
#include "core/io/files/file_state.h"

namespace tv {

inline constexpr std::string_view kViewEnding = ".tvview";  ///< of view files (view_file.h)

/// Occurs within the first bytes of a report's index.html.
inline constexpr std::string_view kReportMark = "<meta name=\"generator\" content=\"traceview\">";

struct FoundFiles {
  std::vector<std::string> files;
  std::vector<Error> problems;  ///< paths that do not exist or cannot be entered, pipes and reports left out
  std::vector<Error> damaged;   ///< archives that may hold more files than were found
  FilesByPath states;  ///< of the files found, and of pipes and report files left out; each taken before the file is read.
                       ///< An archive counts as one file (file_states.h)
  std::vector<std::shared_ptr<const ArchiveFile>> archives;  ///< while these live, opening a file in them does not read them again
};

/// `wanted`: see archive_member.h. `known`: files that exist in these states, whatever a network file system reports now.
FoundFiles find_files(const std::vector<std::string>& paths, const IsWanted& wanted = {}, const FilesByPath* known = nullptr);

}  // namespace tv

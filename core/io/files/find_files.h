// Finds the regular files below given paths (given_path.h): folders recursively, in natural order. Hidden files and folders are
// left out, and so are files that this program has not finished writing (new_file.h). View files, and reports that traceview wrote,
// lie next to traces but are not traces: they are found only when they are given themselves. An archive is a folder of its files; a
// zip with one file is that file. A pipe is found when it is given itself. Several paths keep the order in which they were given,
// except that paths in a shell wildcard's order are put into natural order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/io/archives/archive_file.h"
#include "core/io/files/file_state.h"

namespace tv {

inline constexpr std::string_view kViewEnding = ".tvview";  ///< of view files (session/view_file.h)

/// Stands within the first bytes of a report's index.html.
inline constexpr std::string_view kReportMark = "<meta name=\"generator\" content=\"traceview\">";

struct FoundFiles {
  std::vector<std::string> files;
  std::vector<Error> problems;  ///< paths that do not exist or cannot be entered
  FilesByPath states;  ///< of the regular files that were found, before any is read; archives are files here (file_states.h)
  std::vector<std::shared_ptr<const ArchiveFile>> archives;  ///< while they are held, their files are opened at once
};

/// `wanted`: see archive_file.h. `known`: files that are there and as they are, whatever a network file system says of them now.
FoundFiles find_files(const std::vector<std::string>& paths, const IsWanted& wanted = {}, const FilesByPath* known = nullptr);

}  // namespace tv

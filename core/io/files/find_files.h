// Finds the regular files below given paths (given_path.h): folders recursively, in natural order. Hidden files and folders are
// left out, and so are files that this program has not finished writing (new_file.h). View files and traceview's own reports lie
// next to traces but are not traces, so they are found only if they are given by name. Pipes too are found only if given by name.
// An archive counts as a folder of its files; a zip with one file counts as that file. Several paths keep the order in which they
// were given, except that paths in a shell wildcard's order are put into natural order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/io/archives/archive_file.h"
#include "core/io/files/file_state.h"

namespace tv {

inline constexpr std::string_view kViewEnding = ".tvview";  ///< of view files (session/view_file.h)

/// Occurs within the first bytes of a report's index.html.
inline constexpr std::string_view kReportMark = "<meta name=\"generator\" content=\"traceview\">";

struct FoundFiles {
  std::vector<std::string> files;
  std::vector<Error> problems;  ///< paths that do not exist or cannot be entered
  FilesByPath states;  ///< of the files found, and of pipes and reports' files left out, each taken before it is read;
                       ///< archives count as files (file_states.h)
  std::vector<std::shared_ptr<const ArchiveFile>> archives;  ///< holding these saves reading them again to open a file in them
};

/// `wanted`: see archive_file.h. `known`: files that exist in these states, whatever a network file system says about them now.
FoundFiles find_files(const std::vector<std::string>& paths, const IsWanted& wanted = {}, const FilesByPath* known = nullptr);

}  // namespace tv

// Removes partial files that a killed process left (new_file.h). No process will finish them. Cost: the entries of a folder.
#pragma once

#include <string>

namespace tv {

/// Removes them from this folder. Writers lock their files, so a file without a lock that was not written to for some seconds is
/// abandoned. A network file system may not share locks between hosts, so there the file must be a day old.
void remove_left_parts(const std::string& folder);

}  // namespace tv

// Removes partial files that killed processes left behind (new_file.h). Cost: O(entries of the folder).
#pragma once

#include <string>

namespace tv {

/// Removes them from this folder. Writers lock their partial files, so one without a lock that was not written to for some seconds
/// is abandoned. A network file system may not share locks between hosts, so there a file must be a day old.
void remove_left_parts(const std::string& folder);

}  // namespace tv

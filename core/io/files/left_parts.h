// What writers of files left that were killed (new_file.h): nobody will go on with it. Cost: the entries of a folder.
#pragma once

#include <string>

namespace tv {

/// Removes them from this folder. Who writes holds a lock of the system: what nobody holds, and was not written to for some seconds,
/// belongs to nobody. On a network file system, where locks may not be known elsewhere, it has to be a day.
void remove_left_parts(const std::string& folder);

}  // namespace tv

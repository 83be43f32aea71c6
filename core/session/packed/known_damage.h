// Our files with a block that was found damaged when first touched (mapped_file.h). The view shows zeros in its place. So users of
// the file read it again; then all of it is checked, and the error gives the position. One list for the whole program, as for
// mappings. Any thread. Cost: reads one number if nothing is new.
#pragma once

#include <cstdint>
#include <string>

namespace tv {

/// Adds the damage found since the last call. Returns a number that rises with each newly known file.
std::uint64_t look_for_damage();
/// Whether the present version of the file is known to be damaged. A file that was written again is another file.
bool is_known_damaged(const std::string& path);

}  // namespace tv

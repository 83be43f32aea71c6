// Files of ours with a block that was found damaged when it was first touched (mapped_file.h). The view shows zeros in its place.
// So a user of the file reads it again; then all of it is checked, and the error names the place. One list for the whole program,
// as for mappings. Any thread. Cost: reads one number if nothing is new.
#pragma once

#include <cstdint>
#include <string>

namespace tv {

/// Adds what was found since the last call. The number rises with each file that becomes known.
std::uint64_t look_for_damage();
/// Whether the file, as it is now, is known. A file that was written again is another file.
bool is_known_damaged(const std::string& path);

}  // namespace tv

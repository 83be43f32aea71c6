// Files of ours of which a block turned out to be damaged when it was first touched (mapped_file.h): what is shown of them is not what
// was written, so whoever has one open reads it again, and then all of it is checked and the place is named. Of the whole program, as
// mappings are. Any thread. Cost: a look at a number where nothing is new.
#pragma once

#include <cstdint>
#include <string>

namespace tv {

/// Takes over what was found since the last call. The number rises with each file that is known.
std::uint64_t look_for_damage();
/// As it is now: one that was written anew is another.
bool is_known_damaged(const std::string& path);

}  // namespace tv

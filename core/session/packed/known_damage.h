// Lists our own files in which a block was found damaged at first touch (mapped_file.h). The view shows zeros instead of the
// block until the file is read again; then the whole file is checked, and the error gives the position. The program has one list,
// as it has one for mappings. Any thread. Cost: reads one number if nothing is new.
#pragma once

#include <cstdint>
#include <string>

namespace tv {

/// Adds the damage found since the last call. Returns a number that increases with each damaged file.
std::uint64_t look_for_damage();
/// Whether the present version of the file is known to be damaged. A rewritten file counts as another file.
bool is_known_damaged(const std::string& path);

}  // namespace tv

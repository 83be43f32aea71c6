// Splits the given files into items that are packed one by one, on any number of machines, and then opened together
// (packed_traces.h). This is the map stage for a run that is too large for one machine.
//
//   traces     an item for each rank of a folder, or for all windows of a worker; otherwise for each file
//   logs       one item for all rollouts, consoles and pipelines, because one log can show the times of another
//   archives   an item for each archive
//
// An item's name does not depend on the other items, unless two would get the same name. The name is a valid file name of at most
// 180 bytes, with only printable characters. Skips packed traces, unknown formats and files that a full load would leave out.
// Cost: the first 64 KiB of each file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/io/streams/plain_file.h"

namespace tv {

struct PackItem {
  std::string name;  ///< printable, without blanks and characters that shells interpret
  std::vector<std::string> paths;
};

/// Sorted by name. No two names are equal.
std::vector<PackItem> pack_items(const std::vector<std::string>& paths);

/// Identifies what an item is packed from: names, sizes and times of its files, and `how` they are read. Empty if a file cannot
/// be checked.
std::string made_from(const PackItem& item, std::string_view how);

}  // namespace tv

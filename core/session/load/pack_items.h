// Splits the given files into items that are packed one by one, on any number of machines, and opened together again
// (packed_traces.h): the map stage for a run that is too large for one machine.
//
//   traces     those of one rank in one folder are an item, and so are the windows of a worker; else each file
//   logs       rollouts, consoles, pipelines: all together, since one gives the times of another
//   archives   each as it is
//
// An item's name does not depend on the other items, unless two would get the same name. It is a valid file name of at most 180
// bytes, with only printable characters. Files that are already packed, files that are no traces, and files that a full load would
// leave out are no items. Cost: the first 64 KiB of each file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/io/streams/plain_file.h"

namespace tv {

struct PackItem {
  std::string name;  ///< letters of any script, digits, "._-"
  std::vector<std::string> paths;
};

/// Sorted by name; names differ.
std::vector<PackItem> pack_items(const std::vector<std::string>& paths);

/// The identity of a packed trace, which shows whether it is still valid: names, sizes and times of its files, and `how` they were
/// read. Empty if one of them cannot be checked.
std::string made_from(const PackItem& item, std::string_view how);

}  // namespace tv

// What was given, in parts that are packed one by one, on as many machines as there are, and opened together again
// (packed_traces.h): the map stage where a run is too much for one machine.
//
//   traces     those of one rank in one folder are an item, likewise the windows of a worker; else each file
//   logs       rollouts, consoles, pipelines: all together, since one tells when another was
//   archives   each as it is
//
// An item's name does not depend on the other items, unless two would get the same name. It is a valid file name of at most 180
// bytes and only printable letters. Files that are packed already or are no traces are no items. Neither are files that a load of
// everything would leave out. Cost: the first 64 KiB of each file.
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

/// By name; names differ.
std::vector<PackItem> pack_items(const std::vector<std::string>& paths);

/// What a packed trace is made from, by which it is known whether it is still right: names, sizes and times of the files, and
/// `how` they were read. Empty: one of them cannot be looked at.
std::string made_from(const PackItem& item, std::string_view how);

}  // namespace tv

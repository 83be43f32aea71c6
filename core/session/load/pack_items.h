// What was given, in parts that are packed one by one, on as many machines as there are, and opened together again
// (packed_traces.h): the map stage where a run is too much for one machine.
//
//   traces     those of one rank in one folder are an item, likewise the windows of a worker; else each file
//   logs       rollouts, consoles, pipelines: all together, since one tells when another was
//   archives   each as it is
//
// An item's name is the same whatever else is there, but where two would be called alike, and can be the name of a file: 180 bytes at
// most, of letters that are printed as they are. What is packed already, or is no trace, is none; nor is what would be left out beside
// the others. Cost: the first 64 KiB of each file.
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

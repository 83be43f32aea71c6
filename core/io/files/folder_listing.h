// The contents of a folder, for users who look for a file: names, sizes, dates. A link counts as its target. Cost: a few system
// calls per entry.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tv {

struct FolderEntry {
  std::string name;
  bool folder = false;
  std::uint64_t bytes = 0;     ///< 0 for folders
  std::int64_t modified_s = 0; ///< since the epoch; 0: unknown
  bool operator==(const FolderEntry&) const = default;
};

struct FolderListing {
  std::vector<FolderEntry> entries;  ///< in the file system's order, including hidden ones
  std::string error;                 ///< why there are none, or why some are missing
};

FolderListing list_folder(const std::string& folder);

/// The mount points at and below /media, /run/media and /mnt, where removable drives are. `mounts`: the file that lists all mount
/// points; empty: the system's.
std::vector<std::string> mounted_drives(const std::string& mounts = {});

}  // namespace tv

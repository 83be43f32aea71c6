// The contents of a folder, for people who look for a file: names, sizes, dates. A link counts as its target.
// O(entries), each asked of the file system once.
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
  std::vector<FolderEntry> entries;  ///< as the file system has them, hidden ones too
  std::string error;                 ///< why there are none, or not all
};

FolderListing list_folder(const std::string& folder);

/// Where drives that come and go are mounted: those in /media, /run/media and /mnt that are there.
std::vector<std::string> mounted_drives();

}  // namespace tv

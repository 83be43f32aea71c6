// A file in an archive, and which of a tar's files are wanted (archive_file.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tv {

struct ArchiveMember {
  std::string name;
  std::uint64_t at = 0;     ///< in the zip file, of its header; else in the temporary file
  std::uint64_t size = 0;   ///< of the data there
  bool encrypted = false;
  std::string damage = {};  ///< why there is not more of it
};

/// Whether to copy a tar's file: by its path and its first bytes (all of them if it is shorter). Of other files only these bytes
/// are kept, to recognise their format. Empty: copy all.
using IsWanted = std::function<bool(std::string_view path, std::string_view head)>;

}  // namespace tv

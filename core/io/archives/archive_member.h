// A file in an archive, and which of a tar's files are wanted (archive_file.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tv {

struct ArchiveMember {
  std::string name;
  std::uint64_t at = 0;     ///< offset of its header in the zip file; else its offset in the temporary file
  std::uint64_t size = 0;   ///< size of its data there
  bool encrypted = false;
  std::string damage = {};  ///< why the rest of it is missing
};

/// Whether to copy a whole file of a tar, by its path and the text that its first MiB holds, at most a MiB too. Of other files
/// only that MiB is kept, to recognise their format. Files shorter than that are always copied. Empty: copy all.
using IsWanted = std::function<bool(std::string_view path, std::string_view head)>;

}  // namespace tv

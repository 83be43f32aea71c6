// A file in an archive, and which of a tar's files are wanted (archive_file.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tv {

struct ArchiveMember {
  std::string name;
  std::uint64_t at = 0;     ///< of a zip: offset of the member's header; of a tar: offset in the temporary file
  std::uint64_t size = 0;   ///< bytes of the member's data there
  bool encrypted = false;
  std::string damage = {};  ///< why the end of the member is missing; empty if it is complete
};

/// Decides whether a tar's file is copied whole. `head`: the text in its first MiB, unwrapped, at most 1 MiB. Of an unwanted file
/// only the first MiB is copied, so that its format can be recognised. Shorter files are always copied. Empty: copies all.
using IsWanted = std::function<bool(std::string_view path, std::string_view head)>;

}  // namespace tv

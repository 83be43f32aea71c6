// What is in a zip file and where, from its directory; and one of these files. See archive_file.h. Source: APPNOTE.TXT 6.3.10
// (PKWARE), 4.3 and 4.4.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/io/archive_file.h"

namespace tv {

/// Files without folders and links. Nullopt when it is no zip file, or one without a directory, cut off perhaps.
Result<std::optional<std::vector<ArchiveMember>>> list_zip_files(const std::string& path);

/// As it is in the archive: what was compressed before it was put there still is.
Result<std::unique_ptr<ByteStream>> open_zip_file(const std::string& path, const ArchiveMember& member);

}  // namespace tv

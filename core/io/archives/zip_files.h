// Lists the files of a zip file and their offsets, from its directory. See archive_file.h. Source: APPNOTE.TXT 6.3.10 (PKWARE), 4.3
// and 4.4.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/io/archives/archive_member.h"

namespace tv {

/// Lists files, but not folders and links. Nullopt if it is not a zip file, or has no directory, perhaps because it was cut off.
Result<std::optional<std::vector<ArchiveMember>>> list_zip_files(const std::string& path);

}  // namespace tv

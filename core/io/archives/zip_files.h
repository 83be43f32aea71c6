// Lists the files in a zip file and their offsets, from its central directory (archive_file.h).
// Source: APPNOTE.TXT 6.3.10 (PKWARE), 4.3 and 4.4.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/io/archives/archive_member.h"

namespace tv {

/// Leaves out folders and links. Nullopt if this is no zip file, or if the directory at its end is missing or damaged.
Result<std::optional<std::vector<ArchiveMember>>> list_zip_files(const std::string& path);
/// For a zip file without an intact directory: reads it from its beginning, up to the damage. Cost: inflates all files. Nullopt if
/// this is no zip file.
Result<std::optional<std::vector<ArchiveMember>>> scan_zip_files(const std::string& path);

/// The damage to report for a zip file without an intact directory.
inline constexpr const char* kUnlistedZip = "the zip archive is truncated or damaged: the list of its files is missing";

}  // namespace tv

// Copies the files of a tar archive (plain, or in gzip or zstd) one after the other into a temporary file. See archive_file.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/io/archives/archive_member.h"
#include "core/io/written/temporary_file.h"

namespace tv {

/// The number of bytes that are copied of an unwanted file.
inline constexpr std::size_t kUnwantedBytes = 1 << 20;

struct TarFiles {
  std::vector<ArchiveMember> members;
  std::shared_ptr<const TemporaryFile> bytes;
  std::string damage;  ///< why there may be more files; empty if the list is complete
};

/// `head`: the first 512 bytes of a file.
bool looks_like_tar(std::string_view head);

/// Nullopt if the archive's first bytes cannot be read or are not a tar's. An error if reading fails before the first file, or if
/// the contents do not fit on the disk.
Result<std::optional<TarFiles>> copy_tar_files(const std::string& path, const IsWanted& wanted);

}  // namespace tv

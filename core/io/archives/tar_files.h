// The files of a tar archive, plain or in gzip or zstd, copied one after the other into a temporary file. See archive_file.h.
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

/// The number of bytes kept of a file that is not wanted.
inline constexpr std::size_t kUnwantedBytes = 1 << 20;

struct TarFiles {
  std::vector<ArchiveMember> members;
  std::shared_ptr<const TemporaryFile> bytes;
  std::string damage;  ///< why there may be more files
};

/// `head`: the first 512 bytes.
bool looks_like_tar(std::string_view head);

/// Nullopt if its first bytes cannot be read or are not a tar's. An error if reading fails before the first file, or if there is
/// no space for the contents.
Result<std::optional<TarFiles>> copy_tar_files(const std::string& path, const IsWanted& wanted);

}  // namespace tv

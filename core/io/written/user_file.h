// Small files that belong to the user: settings and remembered state. They are read whole, and written so that a reader sees either
// the old or the new file: with mode 0600, in a folder that is created with 0700 if it is missing. If two programs write the same
// file, the last one wins. A symbolic link is kept; its target is replaced.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace tv {

/// A longer file is rejected: it cannot be ours.
inline constexpr std::size_t kLongestUserFile = 4 << 20;

/// None if there is no such file.
Result<std::optional<std::string>> read_user_file(const std::string& path);
Result<void> write_user_file(const std::string& path, std::string_view text);
/// Renames a file that cannot be used, so that it is not lost: NAME.broken-2026-11-23, with -2 and so on if that exists. Returns
/// its new path. `day`: as it appears in the name.
Result<std::string> put_aside(const std::string& path, std::string_view day);
/// "2026-11-23", in local time.
std::string today();

}  // namespace tv

// Small files that belong to the user: settings and remembered state. Each is read at once, and written with mode 0600 into a
// folder that is created with 0700 if it is missing. A reader sees either the old or the new file. If two programs write the same
// file, the last one wins. A symbolic link stays; its target is replaced.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace tv {

/// A longer file is rejected, because this program did not write it.
inline constexpr std::size_t kLongestUserFile = 4 << 20;

/// None if there is no such file.
Result<std::optional<std::string>> read_user_file(const std::string& path);
Result<void> write_user_file(const std::string& path, std::string_view text);
/// Renames a file that cannot be used, so that it is not lost: NAME.broken-2026-11-23, with -2 and so on if that exists. Returns
/// the new path. `day`: "2026-11-23".
Result<std::string> put_aside(const std::string& path, std::string_view day);
/// Today's date in local time: "2026-11-23".
std::string today();

}  // namespace tv

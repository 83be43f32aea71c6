// Small files that belong to the user: settings, what the program remembers. They are read whole, and written so that a reader
// sees the old one or the new one, never half of either: 0600, in a folder that is made with 0700 when it is missing. Of two
// programs that write one file the last one wins. A file that is a link stays one: what it leads to is replaced.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace tv {

/// A longer file cannot be a settings file.
inline constexpr std::size_t kLongestUserFile = 4 << 20;

/// None if there is no such file.
Result<std::optional<std::string>> read_user_file(const std::string& path);
Result<void> write_user_file(const std::string& path, std::string_view text);
/// Renames a file that cannot be used, so that it is not lost: NAME.broken-2026-11-23, with -2 and so on where that is there. Its
/// new path. `day`: as it stands in the name.
Result<std::string> put_aside(const std::string& path, std::string_view day);
/// "2026-11-23", where this machine is.
std::string today();

}  // namespace tv

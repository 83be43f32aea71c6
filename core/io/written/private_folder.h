// Folders for data from users' private logs: caches, exports, the program's own state. Only their owner may access them, whichever
// program created them, as the XDG Base Directory Specification 0.8 demands.
#pragma once

#include <string>

#include "core/base/result.h"

namespace tv {

/// Creates the missing folders of the path, with mode 0700. Existing ones stay as they are.
Result<void> make_missing_folders(const std::string& path);
/// The same, but if the folder exists and belongs to this user, it gets mode 0700 too, unless it has the sticky bit.
Result<void> make_private_folder(const std::string& path);

/// For NewFile::create: the mode of files in such folders.
inline constexpr unsigned kPrivateFile = 0600;

}  // namespace tv

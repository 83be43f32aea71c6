// Folders for what was private in somebody's logs and is kept: caches, exports, what the program remembers. Only their owner may
// look into them, whoever made them before, as the XDG Base Directory Specification 0.8 asks.
#pragma once

#include <string>

#include "core/base/result.h"

namespace tv {

/// Makes what is missing of it, with mode 0700. What is there stays as it is.
Result<void> make_missing_folders(const std::string& path);
/// The same; and one that is there and is this user's own gets mode 0700 too.
Result<void> make_private_folder(const std::string& path);

/// For NewFile::create: what files in it are made with.
inline constexpr unsigned kPrivateFile = 0600;

}  // namespace tv

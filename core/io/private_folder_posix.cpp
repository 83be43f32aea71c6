#include "core/io/private_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tv {

Result<void> make_private_folder(const std::string& path) {
  namespace fs = std::filesystem;
  const auto failed = [&] { return Error{std::string("cannot be made a folder of its own: ") + std::strerror(errno), path, {}, {}}; };
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) {
    const std::string above = fs::path(path).parent_path().string();
    if (!above.empty() && above != path && ::stat(above.c_str(), &found) != 0) {
      if (auto made = make_private_folder(above); !made) return made;
    }
    if (::mkdir(path.c_str(), 0700) == 0) return {};
    if (errno != EEXIST || ::stat(path.c_str(), &found) != 0) return failed();
  }
  if (!S_ISDIR(found.st_mode)) {
    errno = ENOTDIR;
    return failed();
  }
  // A shared one, as /tmp, stays what it is.
  const bool others = (found.st_mode & 077) != 0;
  if (others && found.st_uid == ::geteuid() && (found.st_mode & S_ISVTX) == 0 && ::chmod(path.c_str(), 0700) != 0) return failed();
  return {};
}

}  // namespace tv

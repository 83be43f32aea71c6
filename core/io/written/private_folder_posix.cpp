#include "core/io/written/private_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tv {
namespace {

Error folder_error(const std::string& path, const char* what, int code) {
  return {std::string(what) + ": " + std::strerror(code), path, {}, {}};
}

}  // namespace

Result<void> make_missing_folders(const std::string& path) {
  std::error_code code;
  if (path.empty() || std::filesystem::is_directory(path, code)) return {};
  const std::string above = std::filesystem::path(path).parent_path().string();
  if (auto made = make_missing_folders(above == path ? std::string() : above); !made) return made;
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return folder_error(path, "cannot make the folder", errno);
}

Result<void> make_private_folder(const std::string& path) {
  if (auto made = make_missing_folders(path); !made) return made;
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) return folder_error(path, "cannot look at the folder", errno);
  if (!S_ISDIR(found.st_mode)) return folder_error(path, "cannot make the folder", ENOTDIR);
  // A shared folder, such as /tmp, stays as it is.
  const bool open_to_others = (found.st_mode & 077) != 0 && (found.st_mode & S_ISVTX) == 0;
  if (!open_to_others || found.st_uid != ::geteuid() || ::chmod(path.c_str(), 0700) == 0) return {};
  return folder_error(path, "cannot be made private", errno);
}

}  // namespace tv

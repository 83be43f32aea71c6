#include "core/io/files/left_parts.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <system_error>

#include "core/io/files/file_state.h"
#include "core/io/written/new_file.h"

namespace tv {

void remove_left_parts(const std::string& folder) {
  constexpr std::time_t kLocalAge = 3, kNetworkAge = 24 * 60 * 60;  // seconds
  const std::time_t least_age = is_on_network(folder) ? kNetworkAge : kLocalAge;
  std::error_code code;
  std::filesystem::directory_iterator at(folder, code);
  for (; !code && at != std::filesystem::directory_iterator(); at.increment(code)) {
    if (!is_part_name(at->path().filename().string())) continue;
    const int file = ::open(at->path().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (file < 0) continue;
    struct stat status {};
    const bool old = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && std::time(nullptr) - status.st_mtime >= least_age;
    if (old && ::flock(file, LOCK_EX | LOCK_NB) == 0) ::unlink(at->path().c_str());
    ::close(file);
  }
}

}  // namespace tv

#include "core/io/files/file_state.h"

#include <sys/stat.h>
#include <time.h>

namespace tv {

std::optional<FileState> state_of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0 || (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode))) return std::nullopt;
  FileState state;
  state.folder = S_ISDIR(found.st_mode);
  state.bytes = state.folder ? 0 : static_cast<std::uint64_t>(found.st_size);
  state.modified_ns = std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec;
  state.file = static_cast<std::uint64_t>(found.st_ino) ^ static_cast<std::uint64_t>(found.st_dev) << 40;
  return state;
}

std::int64_t file_clock_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace tv

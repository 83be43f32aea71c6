#include "core/io/files/file_state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace tv {

namespace {

std::optional<FileState> state_in(const struct stat& found) {
  FileState state;
  if (S_ISFIFO(found.st_mode)) {
    state.pipe = true;
    state.file = static_cast<std::uint64_t>(found.st_ino);
    return state;
  }
  if (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) return std::nullopt;
  state.folder = S_ISDIR(found.st_mode);
  state.bytes = state.folder ? 0 : static_cast<std::uint64_t>(found.st_size);
  state.modified_ns = std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec;
  state.changed_ns = std::int64_t{found.st_ctim.tv_sec} * 1'000'000'000 + found.st_ctim.tv_nsec;
  state.file = static_cast<std::uint64_t>(found.st_ino) ^ static_cast<std::uint64_t>(found.st_dev) << 40;
  return state;
}

}  // namespace

std::optional<FileState> state_of(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 ? state_in(found) : std::nullopt;
}

std::optional<FileState> state_on_server(const std::string& path) {
  struct stat found {};
  // Does not open a pipe, because the writer would take us for its reader.
  if (::stat(path.c_str(), &found) == 0 && S_ISFIFO(found.st_mode)) return state_in(found);
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return state_of(path);
  const bool known = ::fstat(file, &found) == 0;
  ::close(file);
  return known ? state_in(found) : std::nullopt;
}

bool is_out_of_reach(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return errno != ENOENT && errno != ENOTDIR;
  return ::access(path.c_str(), S_ISDIR(found.st_mode) ? R_OK | X_OK : R_OK) != 0;
}

// The magic numbers come from <linux/magic.h> and the sources of the file systems.
bool is_on_network(const std::string& path) {
#ifdef __linux__
  struct statfs system {};
  if (::statfs(path.c_str(), &system) != 0) return false;
  constexpr std::uint32_t kNetwork[] = {0x6969 /* NFS */,      0x65735546 /* FUSE */,  0xFF534D42 /* CIFS */, 0xFE534D42 /* SMB2 */,
                                        0x517B /* SMB */,      0x01021997 /* 9P */,    0x00C36400 /* Ceph */, 0x0BD00BD0 /* Lustre */,
                                        0x5346414F /* AFS */,  0x47504653 /* GPFS */,  0x19830326 /* BeeGFS */};
  return std::ranges::find(kNetwork, static_cast<std::uint32_t>(system.f_type)) != std::end(kNetwork);
#else
  static_cast<void>(path);
  return false;
#endif
}

std::int64_t file_clock_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace tv

#include "core/io/written/user_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "core/base/local_time.h"
#include "core/io/written/new_file.h"
#include "core/io/written/private_folder.h"

namespace tv {
namespace {

namespace fs = std::filesystem;

Error user_file_error(const std::string& path, const char* what, int code) {
  return {std::string(what) + ": " + std::strerror(code), path, {}, {}};
}

struct OpenUserFile {
  int descriptor = -1;
  ~OpenUserFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

}  // namespace

Result<std::optional<std::string>> read_user_file(const std::string& path) {
  // Does not block if the path is a pipe without a writer.
  const OpenUserFile file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.descriptor < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::optional<std::string>();
  if (file.descriptor < 0) return user_file_error(path, "cannot be read", errno);
  struct stat status {};
  if (::fstat(file.descriptor, &status) != 0) return user_file_error(path, "cannot be read", errno);
  if (S_ISDIR(status.st_mode)) return user_file_error(path, "cannot be read", EISDIR);
  if (!S_ISREG(status.st_mode)) return Error{"is not a file", path, {}, {}};
  std::string text;
  char buffer[16384];
  while (text.size() <= kLongestUserFile) {
    const ssize_t n = ::read(file.descriptor, buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return user_file_error(path, "cannot be read", errno);
    if (n == 0) return std::optional(std::move(text));
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return Error{"is too long to be what this program wrote", path, {}, {}};
}

Result<void> write_user_file(const std::string& path, std::string_view text) {
  if (path.empty()) return Error{"there is no home folder to write to", {}, {}, "set HOME"};
  std::error_code code;
  fs::path real_path = path;
  if (fs::is_symlink(real_path, code)) {
    const fs::path target = fs::weakly_canonical(real_path, code);
    if (!code) real_path = target;
  }
  // Opening a pipe without a reader would block forever.
  const fs::file_type type = fs::status(real_path, code).type();
  if (type == fs::file_type::fifo || type == fs::file_type::socket || type == fs::file_type::block) {
    return Error{"is not a file", path, {}, "remove it"};
  }
  if (auto made = make_missing_folders(real_path.parent_path().string()); !made) return made;
  return write_whole(NewFile::create(real_path.string(), kPrivateFile), text);
}

Result<std::string> put_aside(const std::string& path, std::string_view day) {
  const std::string first = path + ".broken-" + std::string(day);
  std::string aside = first;
  std::error_code code;
  for (int n = 2; fs::exists(fs::symlink_status(aside, code)); ++n) aside = first + "-" + std::to_string(n);
  if (std::rename(path.c_str(), aside.c_str()) != 0) return user_file_error(path, "cannot be put aside", errno);
  return aside;
}

std::string today() {
  const std::tm parts = local_time(std::time(nullptr)).value_or(std::tm{});
  char text[16];
  return {text, std::strftime(text, sizeof(text), "%Y-%m-%d", &parts)};
}

}  // namespace tv

#include "core/io/written/temporary_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace tv {
namespace {

Error temporary_error(const char* what) {
  return {std::string(what) + ": " + std::strerror(errno),
          {},
          {},
          "make room in the folder for temporary files, or set TMPDIR",
          true};
}

}  // namespace

Result<TemporaryFile> TemporaryFile::create() {
  const auto descriptor = open_nameless_file();
  if (!descriptor) return descriptor.error();
  std::FILE* const file = ::fdopen(descriptor.value(), "w+b");
  if (!file) return temporary_error("no temporary file can be made");
  return TemporaryFile(file);
}

Result<int> open_nameless_file() {
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(none);
#ifdef O_TMPFILE
  // Such a file never has a name, so nothing is left of it, however the program ends.
  if (const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); descriptor >= 0) return descriptor;
#endif
  std::string path = (folder / "traceview-XXXXXX").string();
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) return temporary_error("no temporary file can be made");
  ::unlink(path.c_str());
  return descriptor;
}

Result<void> TemporaryFile::append(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) return {};
  return temporary_error("cannot write to a temporary file");
}

Result<void> TemporaryFile::flush() {
  if (std::fflush(file_.get()) == 0) return {};
  return temporary_error("cannot write to a temporary file");
}

Result<void> TemporaryFile::read_at(std::uint64_t offset, std::span<char> into) const {
  for (std::size_t at = 0; at < into.size();) {
    const ssize_t n =
        ::pread(::fileno(file_.get()), into.data() + at, into.size() - at, static_cast<off_t>(offset + at));
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = EIO;  // the file is shorter than what was written
    if (n <= 0) return temporary_error("cannot read a temporary file");
    at += static_cast<std::size_t>(n);
  }
  return {};
}

}  // namespace tv

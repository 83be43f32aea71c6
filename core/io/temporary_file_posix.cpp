#include "core/io/temporary_file.h"

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
  std::error_code none;
  std::string path = (std::filesystem::temp_directory_path(none) / "traceview-XXXXXX").string();
  const int descriptor = ::mkstemp(path.data());
  std::FILE* const file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "w+b");
  if (!file) return temporary_error("no temporary file can be made");
  ::unlink(path.c_str());
  return TemporaryFile(file);
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
    if (n == 0) errno = EIO;  // shorter than what was written
    if (n <= 0) return temporary_error("cannot read a temporary file");
    at += static_cast<std::size_t>(n);
  }
  return {};
}

}  // namespace tv

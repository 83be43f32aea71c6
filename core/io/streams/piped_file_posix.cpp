#include "core/io/streams/piped_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

namespace tv {

const char* const kStandardInput = "/dev/stdin";

namespace {

constexpr std::size_t kPipedPiece = 1 << 20;

Error pipe_error(const std::string& path, const char* what, int code) {
  return {std::string(what) + ": " + std::strerror(code), path, {}, "save the data to a file first", true};
}

Result<std::shared_ptr<const PipedFile>> copied(const std::string& path) {
  // Standard input may be a socket, which cannot be opened by its name.
  const int descriptor = path == kStandardInput ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return pipe_error(path, "cannot open", errno);
  struct Close {
    int descriptor;
    ~Close() { ::close(descriptor); }
  } close{descriptor};
  auto file = TemporaryFile::create();
  if (!file) return file.error();
  auto out = std::make_shared<PipedFile>();
  std::vector<char> piece(kPipedPiece);
  for (;;) {
    const ssize_t n = ::read(descriptor, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return pipe_error(path, "cannot read", errno);
    if (n == 0) break;
    if (auto done = file->append({piece.data(), static_cast<std::size_t>(n)}); !done) return done.error();
    out->size += static_cast<std::uint64_t>(n);
  }
  if (auto done = file->flush(); !done) return done.error();
  out->bytes = std::make_shared<const TemporaryFile>(std::move(*file));
  out->read_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  return std::shared_ptr<const PipedFile>(std::move(out));
}

}  // namespace

bool is_pipe(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  return S_ISFIFO(status.st_mode) || (path == kStandardInput && S_ISSOCK(status.st_mode));
}

Result<std::shared_ptr<const PipedFile>> piped_file(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, Result<std::shared_ptr<const PipedFile>>> known;  // errors too: the data cannot be read again
  const std::lock_guard lock(mutex);
  const auto found = known.find(path);
  return found != known.end() ? found->second : known.emplace(path, copied(path)).first->second;
}

}  // namespace tv

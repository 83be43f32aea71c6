#include "core/io/new_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tv {
namespace {

Error write_error(const std::string& path, const char* what) {
  const int code = errno;
  std::string remedy;
  if (code == EACCES || code == EROFS) remedy = "choose a folder that you may write to";
  if (code == ENOENT) remedy = "check that the folder is there";
  if (code == ENOSPC || code == EDQUOT) remedy = "make room on the disk";
  return {std::string(what) + ": " + std::strerror(code), path, {}, remedy};
}

}  // namespace

NewFile::NewFile(int descriptor, std::string path, std::string part)
    : descriptor_(descriptor), path_(std::move(path)), part_(std::move(part)) {}

NewFile::NewFile(NewFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      part_(std::exchange(other.part_, {})),
      size_(other.size_) {}

NewFile::~NewFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!part_.empty()) ::unlink(part_.c_str());
}

Result<NewFile> NewFile::create(const std::string& path, unsigned mode) {
  static std::atomic<unsigned> number = 0;
  std::string part = path + "." + std::to_string(::getpid()) + "-" + std::to_string(number++);
  part += kPartSuffix;
  const int descriptor = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0) return write_error(path, "cannot write");
  return NewFile(descriptor, path, std::move(part));
}

Result<void> NewFile::append(std::string_view bytes) {
  const std::uint64_t end = size_;
  size_ += bytes.size();
  return write_at(end, bytes);
}

Result<void> NewFile::write_at(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return write_error(path_, "cannot write");
    bytes.remove_prefix(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return {};
}

Result<void> NewFile::commit() {
  if (::close(std::exchange(descriptor_, -1)) != 0) return write_error(path_, "cannot write");
  if (std::rename(part_.c_str(), path_.c_str()) != 0) return write_error(path_, "cannot put the file in its place");
  part_.clear();
  return {};
}

}  // namespace tv

#include "core/io/streams/plain_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace tv {
namespace {

Error system_error(const std::string& path, const char* what) {
  const int code = errno;
  std::string remedy;
  if (code == EACCES) remedy = "check the file's permissions";
  if (code == ENOENT) remedy = "check the path";
  if (code == EMFILE || code == ENFILE) remedy = "allow more open files: ulimit -n";
  const bool of_path = code == ENOENT || code == ENOTDIR || code == ELOOP || code == ENAMETOOLONG;
  return {std::string(what) + ": " + std::strerror(code), path, {}, remedy, !of_path};
}

Error not_regular(const std::string& path) {
  return {"not a regular file", path, {}, "save the data to a file first"};
}

constexpr std::size_t kPage = 4096;

// The kernel copies with `rep movsb`, which on some processors (AMD Zen 3: 1.2 instead of 6 GB/s, tests/bench/bench_limits)
// takes five times as long if the target is up to 31 bytes after the source, both modulo a page.
bool copies_slowly(const char* to, std::uint64_t offset) {
  const std::uint64_t beyond = (reinterpret_cast<std::uintptr_t>(to) - offset) % kPage;
  return beyond > 0 && beyond < 32;
}

// Reads into a buffer at a fast offset and copies from there. May read less than requested.
ssize_t read_detour(int descriptor, std::span<char> out, std::uint64_t offset) {
  constexpr std::size_t kBytes = 32 << 10;  // stays in the L1 cache
  alignas(kPage) char place[kBytes + 2 * kPage];
  char* const to = place + (offset + kPage / 2) % kPage;
  const ssize_t n = ::pread(descriptor, to, std::min(out.size(), kBytes), static_cast<off_t>(offset));
  if (n > 0) std::memcpy(out.data(), to, static_cast<std::size_t>(n));
  return n;
}

}  // namespace

PlainFile::PlainFile(int descriptor, std::uint64_t size, std::string path)
    : descriptor_(descriptor), size_(size), path_(std::move(path)) {}

PlainFile::PlainFile(PlainFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_), path_(std::move(other.path_)) {}

PlainFile& PlainFile::operator=(PlainFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  size_ = other.size_;
  path_ = std::move(other.path_);
  return *this;
}

PlainFile::~PlainFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<PlainFile> PlainFile::open(const std::string& path) {
  // Opening and closing a named pipe would end its writer. With O_NONBLOCK, open() does not block if the path has become a pipe.
  struct stat before {};
  if (::stat(path.c_str(), &before) == 0 && S_ISFIFO(before.st_mode)) return not_regular(path);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return system_error(path, "cannot open");
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    Error error = system_error(path, "cannot read its size");
    ::close(descriptor);
    return error;
  }
  if (!S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return not_regular(path);
  }
  return PlainFile(descriptor, static_cast<std::uint64_t>(status.st_size), path);
}

Result<std::size_t> PlainFile::read_at(std::uint64_t offset, std::span<char> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const std::span<char> rest = out.subspan(done);
    const ssize_t n = copies_slowly(rest.data(), offset + done)
                          ? read_detour(descriptor_, rest, offset + done)
                          : ::pread(descriptor_, rest.data(), rest.size(), static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error(path_, "cannot read");
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

Result<FileIdentity> identity_of_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return system_error(path, "cannot read its size and time");
  return FileIdentity{static_cast<std::uint64_t>(status.st_size),
                      static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec};
}

}  // namespace tv

#include "core/io/written/new_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/base/text/printable.h"
#include "core/io/written/temporary_file.h"

namespace tv {
namespace {

constexpr int kMostLinks = 40;  // the kernel's limit
constexpr std::string_view kStandardOutput = "-";

Error write_error(const std::string& path, const char* what) {
  const int code = errno;
  std::string remedy;
  if (code == EACCES || code == EROFS) remedy = "choose a folder that you may write to";
  if (code == ENOENT) remedy = "check that the folder is there";
  if (code == ENOSPC || code == EDQUOT) remedy = "make room on the disk";
  return {std::string(what) + ": " + std::strerror(code), path == kStandardOutput ? "stdout" : path, {}, remedy};
}

// Follows symbolic links, whether their target exists or not.
Result<std::string> resolved_links(const std::string& path) {
  std::filesystem::path at = path;
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code none;
    if (!std::filesystem::is_symlink(at, none)) return at.string();
    const std::filesystem::path next = std::filesystem::read_symlink(at, none);
    if (none) return at.string();
    at = at.parent_path() / next;
  }
  errno = ELOOP;
  return write_error(path, "cannot write");
}

Result<void> write_fully(int descriptor, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return write_error(path, "cannot write");
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

}  // namespace

bool is_part_name(std::string_view name) {
  if (!name.ends_with(kPartSuffix)) return false;
  name.remove_suffix(kPartSuffix.size());
  const auto drop_number = [&name] {
    const std::size_t before = name.size();
    while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.remove_suffix(1);
    return name.size() < before;
  };
  if (!drop_number() || !name.ends_with('-')) return false;
  name.remove_suffix(1);
  return drop_number() && name.ends_with('.') && name.size() > 1;
}

NewFile::NewFile(NewFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      stream_(std::exchange(other.stream_, -1)),
      path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      part_(std::exchange(other.part_, {})),
      unfinished_(std::move(other.unfinished_)),
      size_(other.size_),
      to_terminal_(other.to_terminal_),
      line_(std::move(other.line_)) {}

NewFile::~NewFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (stream_ >= 0) ::close(stream_);
  if (!part_.empty()) ::unlink(part_.c_str());
}

Result<NewFile> NewFile::create(const std::string& path, unsigned mode, Order order) {
  auto target = resolved_links(path);
  if (!target) return target.error();
  NewFile file(path, std::move(*target));
  struct stat is {};
  const bool exists = ::stat(path.c_str(), &is) == 0;
  if (exists && S_ISDIR(is.st_mode)) return Error{"it is a folder", path, {}, "give the name of a file in it"};
  // /dev/stdout may lead to a file without a name.
  if ((exists && !S_ISREG(is.st_mode)) || (exists && file.target_.starts_with("/proc/"))) {
    file.stream_ = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | (S_ISREG(is.st_mode) ? O_TRUNC : 0));
    if (file.stream_ < 0) return write_error(path, "cannot write");
    if (auto ready = file.into_stream(order); !ready) return ready.error();
    return file;
  }
  static std::atomic<unsigned> number = 0;
  file.part_ = file.target_ + "." + std::to_string(::getpid()) + "-" + std::to_string(number++);
  file.part_ += kPartSuffix;
  file.unfinished_.begin(file.part_);  // before the file exists
  file.descriptor_ = ::open(file.part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file.descriptor_ < 0) {
    file.part_.clear();
    return write_error(path, "cannot write");
  }
  (void)::flock(file.descriptor_, LOCK_EX | LOCK_NB);  // left_parts.h looks for this lock
  return file;
}

Result<NewFile> NewFile::output(const std::string& path, Content content, Order order, unsigned mode) {
  auto file = [&]() -> Result<NewFile> {
    if (path != kStandardOutput) return create(path, mode, order);
    NewFile out(path, path);
    out.stream_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (out.stream_ < 0) return write_error(path, "cannot write");
    if (auto ready = out.into_stream(order); !ready) return ready.error();
    return out;
  }();
  if (file) file->to_terminal_ = file->stream_ >= 0 && ::isatty(file->stream_) != 0;
  if (file && content == Content::Binary && file->to_terminal_) {
    return Error{"it is a terminal, and the output is not text", path == kStandardOutput ? "stdout" : path, {}, "write to a file or a pipe"};
  }
  return file;
}

Result<void> NewFile::into_stream(Order order) {
  if (order == Order::Appended) return {};
  auto nameless = open_nameless_file();
  if (!nameless) return nameless.error();
  descriptor_ = nameless.value();
  return {};
}

Result<void> NewFile::append(std::string_view bytes) {
  const std::uint64_t end = size_;
  size_ += bytes.size();
  if (descriptor_ < 0) return send(bytes);
  return write_at(end, bytes);
}

Result<void> NewFile::send(std::string_view bytes) {
  if (!to_terminal_) return write_fully(stream_, path_, bytes);
  line_ += bytes;
  const std::size_t whole = line_.rfind('\n') + 1;  // 0 if there is none
  if (auto sent = write_fully(stream_, path_, printable(std::string_view(line_).substr(0, whole))); !sent) return sent;
  line_.erase(0, whole);
  return {};
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

Result<void> NewFile::copy_to_stream() {
  std::string piece(1 << 20, '\0');
  for (off_t at = 0;;) {
    const ssize_t n = ::pread(descriptor_, piece.data(), piece.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return write_error(path_, "cannot read its temporary file");
    if (n == 0) return {};
    if (auto sent = send({piece.data(), static_cast<std::size_t>(n)}); !sent) return sent;
    at += n;
  }
}

Result<void> NewFile::close() {
  if (stream_ >= 0 && descriptor_ >= 0) {
    if (auto copied = copy_to_stream(); !copied) return copied;
  }
  if (!line_.empty()) {
    if (auto sent = write_fully(stream_, path_, printable(std::exchange(line_, {}))); !sent) return sent;
  }
  for (int* const descriptor : {&descriptor_, &stream_}) {
    if (*descriptor >= 0 && ::close(std::exchange(*descriptor, -1)) != 0) return write_error(path_, "cannot write");
  }
  return {};
}

Result<void> NewFile::commit() {
  if (auto closed = close(); !closed) return closed;
  if (part_.empty()) return {};
  if (std::rename(part_.c_str(), target_.c_str()) != 0) return write_error(path_, "cannot put the file in its place");
  part_.clear();
  unfinished_.forget();
  return {};
}

Result<void> write_whole(Result<NewFile> file, std::string_view bytes) {
  if (!file) return file.error();
  if (auto appended = file->append(bytes); !appended) return appended;
  return file->commit();
}

Result<void> check_not_input(const std::string& output, std::span<const std::string> inputs) {
  struct stat is {}, of_input {};
  if (output == kStandardOutput || ::stat(output.c_str(), &is) != 0 || !S_ISREG(is.st_mode)) return {};
  for (const std::string& input : inputs) {
    if (::stat(input.c_str(), &of_input) != 0 || of_input.st_dev != is.st_dev || of_input.st_ino != is.st_ino) continue;
    const std::string name = input == output ? std::string() : ", " + input;
    return Error{"not written: it is one of the files that were read" + name, output, {}, "give another name with -o"};
  }
  return {};
}

}  // namespace tv

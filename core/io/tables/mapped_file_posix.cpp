#include "core/io/tables/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tv {

Result<std::shared_ptr<std::byte>> map_file(const std::string& path, std::size_t bytes) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Error{std::string("cannot open: ") + std::strerror(errno), path, {}, {}, true};
  struct stat status {};
  const bool whole = ::fstat(descriptor, &status) == 0 && static_cast<std::uint64_t>(status.st_size) >= bytes;
  void* const p = whole && bytes > 0 ? ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor, 0) : MAP_FAILED;
  ::close(descriptor);
  if (!whole) return Error{"the file is shorter than it was", path, {}, {}};
  if (p == MAP_FAILED) return Error{std::string("cannot map: ") + std::strerror(errno), path, {}, {}, true};
  return std::shared_ptr<std::byte>(static_cast<std::byte*>(p), [bytes](std::byte* q) { (void)::munmap(q, bytes); });
}

}  // namespace tv

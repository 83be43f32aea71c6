// A regular file opened for reading; it closes itself.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/base/result.h"

namespace tv {

class PlainFile {
 public:
  static Result<PlainFile> open(const std::string& path);
  PlainFile(PlainFile&& other) noexcept;
  PlainFile& operator=(PlainFile&& other) noexcept;
  ~PlainFile();

  std::uint64_t size() const { return size_; }  ///< when the file was opened
  const std::string& path() const { return path_; }
  /// Fills `out` from `offset` on; fewer bytes only at the end of the file.
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const;

 private:
  PlainFile(int descriptor, std::uint64_t size, std::string path);
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::string path_;
};

/// Size and time of the last change. At least one of them changes when the file grows or is replaced.
struct FileIdentity {
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  bool operator==(const FileIdentity&) const = default;
};

/// Takes only paths in the file system. identity_of() (open_stream.h) also takes files in archives, and pipes.
Result<FileIdentity> identity_of_file(const std::string& path);

}  // namespace tv

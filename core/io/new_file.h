// A file that appears under its name only when it is complete: until then it grows beside it, under a name of its own,
// and is gone when anything goes wrong. What was there before stays until the moment it is replaced.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace tv {

class NewFile {
 public:
  /// `mode`: who may read and write it, before the umask.
  static Result<NewFile> create(const std::string& path, unsigned mode = 0666);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  std::uint64_t size() const { return size_; }
  Result<void> append(std::string_view bytes);
  /// Within what was appended.
  Result<void> write_at(std::uint64_t offset, std::string_view bytes);
  /// Puts it in its place.
  Result<void> commit();

 private:
  NewFile(int descriptor, std::string path, std::string part);
  int descriptor_ = -1;
  std::string path_, part_;
  std::uint64_t size_ = 0;
};

/// What files that are not complete yet are called: NAME.<process>-<number>.part
inline constexpr std::string_view kPartSuffix = ".part";

}  // namespace tv

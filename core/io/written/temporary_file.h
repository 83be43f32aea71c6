// A file without a name, for data that does not fit into memory and is read again. It is in the folder for temporary files (TMPDIR)
// and disappears when the program ends, however that happens.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string_view>

#include "core/base/result.h"

namespace tv {

class TemporaryFile {
 public:
  static Result<TemporaryFile> create();

  /// Appends to the file. Buffered: call flush() before reading.
  Result<void> append(std::string_view bytes);
  Result<void> flush();
  /// Fills all of `into`, or returns an error.
  Result<void> read_at(std::uint64_t offset, std::span<char> into) const;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  explicit TemporaryFile(std::FILE* file) : file_(file) {}

  std::unique_ptr<std::FILE, Close> file_;
};

/// The descriptor of such a file, which the caller reads and writes at any offset, and closes.
Result<int> open_nameless_file();

}  // namespace tv

// Data that comes through a pipe: standard input, a named pipe, a shell's `<(...)`. It comes once but is read several times (its
// beginning, all of it, later the args of a slice), so it is copied into a temporary file when it is first asked for, and stays
// there until the program ends. Waits until the other side closes the pipe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/io/written/temporary_file.h"

namespace tv {

struct PipedFile {
  std::shared_ptr<const TemporaryFile> bytes;
  std::uint64_t size = 0;
  std::int64_t read_ns = 0;  ///< when; tells it from what came through a pipe of this name in another run
};

bool is_pipe(const std::string& path);
/// The same for the same path each time.
Result<std::shared_ptr<const PipedFile>> piped_file(const std::string& path);

}  // namespace tv

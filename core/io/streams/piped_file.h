// Data that comes through a pipe: standard input, a named pipe, a shell's `<(...)`. A pipe can be read only once, but the program
// reads its data several times (the beginning, all of it, later the args of a slice). So the data is copied into a temporary file
// on first use, and stays there until the program ends. Copying ends when the writer closes the pipe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/io/written/temporary_file.h"

namespace tv {

/// The path that stands for standard input.
extern const char* const kStandardInput;

struct PipedFile {
  std::shared_ptr<const TemporaryFile> bytes;
  std::uint64_t size = 0;
  std::int64_t read_ns = 0;  ///< when it was read: tells this data from that of another run through a pipe of the same name
};

bool is_pipe(const std::string& path);
/// Copies the data on the first call; later calls with the same path return the same result.
Result<std::shared_ptr<const PipedFile>> piped_file(const std::string& path);

}  // namespace tv

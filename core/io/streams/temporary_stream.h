// A part of a temporary file as a stream of bytes that can be read at any offset. See byte_stream.h.
#pragma once

#include <memory>

#include "core/io/streams/byte_stream.h"
#include "core/io/written/temporary_file.h"

namespace tv {

/// The stream consists of the `size` bytes from `begin` on. `damage`: why the data ends early; empty if it is complete.
std::unique_ptr<ByteStream> make_temporary_stream(std::shared_ptr<const TemporaryFile> file, std::uint64_t begin,
                                                  std::uint64_t size, std::string damage = {});

}  // namespace tv

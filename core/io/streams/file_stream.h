// The raw bytes of a file or pipe, without unwrapping (open_stream.h).
#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/io/streams/byte_stream.h"

namespace tv {

Result<std::unique_ptr<ByteStream>> open_bytes(const std::string& path);

}  // namespace tv

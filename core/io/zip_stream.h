// The first regular file of a zip archive, through libarchive. See byte_stream.h.
#pragma once

#include <memory>
#include <string>

#include "core/io/byte_stream.h"

namespace tv {

Result<std::unique_ptr<ByteStream>> open_zip_stream(const std::string& path);

}  // namespace tv

// A file in a zip archive, through libarchive. See byte_stream.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/io/streams/byte_stream.h"

namespace tv {

/// Opens the file whose header is at `offset`; without an offset, the archive's first file.
Result<std::unique_ptr<ByteStream>> open_zip_stream(const std::string& path, std::optional<std::uint64_t> offset = {});

}  // namespace tv

// Unwraps bytes into text: gzip (also with several members), zstd, UTF-16, or the log of a container runtime (text_streams.h). The
// format is recognised by content, not by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/streams/byte_stream.h"

namespace tv {

/// The first bytes of a zip file. For unwrapped(), a zip is an error: archive_file.h opens archives.
inline constexpr std::string_view kZipMagic = "PK\x03\x04";

/// Bytes that are not wrapped are passed through. `path`: the file that they come from, for errors.
Result<std::unique_ptr<ByteStream>> unwrapped(std::unique_ptr<ByteStream> bytes, const std::string& path);

}  // namespace tv

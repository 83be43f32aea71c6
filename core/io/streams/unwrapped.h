// The text in bytes, whatever it is wrapped in: gzip (several members too), zstd, UTF-16, or the log of a container runtime
// (text_streams.h); by their content, not by a name.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/io/streams/byte_stream.h"

namespace tv {

/// How a zip file begins. One within other data is an error here: archives are opened by archive_file.h.
inline constexpr std::string_view kZipMagic = "PK\x03\x04";

/// Other bytes as they are. `path`: whose they are, for errors.
Result<std::unique_ptr<ByteStream>> unwrapped(std::unique_ptr<ByteStream> bytes, const std::string& path);

}  // namespace tv

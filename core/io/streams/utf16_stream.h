// UTF-16 text as UTF-8 (PowerShell's ">" writes UTF-16). See byte_stream.h.
#pragma once

#include <memory>

#include "core/io/streams/byte_stream.h"

namespace tv {

/// `encoding`: a name iconv knows.
std::unique_ptr<ByteStream> make_utf16_stream(std::unique_ptr<ByteStream> encoded, const char* encoding);

}  // namespace tv

// gzip members, inflated by ISA-L (2.2 GB/s a core; zlib about half). See byte_stream.h.
#pragma once

#include <memory>

#include "core/io/streams/byte_stream.h"

namespace tv {

std::unique_ptr<ByteStream> make_gzip_stream(std::unique_ptr<ByteStream> compressed);

}  // namespace tv

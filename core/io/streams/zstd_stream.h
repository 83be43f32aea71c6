// zstd frames. See byte_stream.h.
#pragma once

#include <memory>

#include "core/io/streams/byte_stream.h"

namespace tv {

std::unique_ptr<ByteStream> make_zstd_stream(std::unique_ptr<ByteStream> compressed);

}  // namespace tv

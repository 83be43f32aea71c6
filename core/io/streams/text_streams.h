// Decoders that turn a file's bytes into text (byte_stream.h). Each has a source file of its own.
#pragma once

#include <memory>

#include "core/base/text/container_line.h"
#include "core/io/streams/byte_stream.h"

namespace tv {

/// Inflates gzip members with ISA-L (2.2 GB/s per core; zlib reaches about half).
std::unique_ptr<ByteStream> make_gzip_stream(std::unique_ptr<ByteStream> compressed);
/// Decompresses zstd frames.
std::unique_ptr<ByteStream> make_zstd_stream(std::unique_ptr<ByteStream> compressed);
/// Turns UTF-16 into UTF-8 (PowerShell's ">" writes UTF-16). `encoding`: a name that iconv knows.
std::unique_ptr<ByteStream> make_utf16_stream(std::unique_ptr<ByteStream> encoded, const char* encoding);
/// Unwraps the lines in a container runtime's log and joins their pieces. A time stamp precedes each line, as in the output of
/// `kubectl logs --timestamps` and `docker logs -t`: "2026-07-27T10:00:02.123456789Z step:1 ...". A line in pieces gets the time of
/// its last piece, because it was complete only then. Lines in another format stay as they are.
std::unique_ptr<ByteStream> make_container_stream(std::unique_ptr<ByteStream> wrapped, ContainerLog kind);

}  // namespace tv

// What makes text of a file's bytes, each in a file of its own. See byte_stream.h.
#pragma once

#include <memory>

#include "core/base/text/container_line.h"
#include "core/io/streams/byte_stream.h"

namespace tv {

/// gzip members, inflated by ISA-L (2.2 GB/s a core; zlib about half).
std::unique_ptr<ByteStream> make_gzip_stream(std::unique_ptr<ByteStream> compressed);
/// zstd frames.
std::unique_ptr<ByteStream> make_zstd_stream(std::unique_ptr<ByteStream> compressed);
/// UTF-16 text as UTF-8 (PowerShell's ">" writes UTF-16). `encoding`: a name iconv knows.
std::unique_ptr<ByteStream> make_utf16_stream(std::unique_ptr<ByteStream> encoded, const char* encoding);
/// The lines that were written into a container runtime's log, whole again, each behind its time stamp as `kubectl logs
/// --timestamps` and `docker logs -t` print it: "2026-07-27T10:00:02.123456789Z step:1 ...". Of a line in pieces that
/// of its last piece, when it was complete. Lines of no such log stay as they are.
std::unique_ptr<ByteStream> make_container_stream(std::unique_ptr<ByteStream> wrapped, ContainerLog kind);

}  // namespace tv

// Opens a file as one stream of text (byte_stream.h). A zip is read as its first file. A file in an archive has the path
// "run.zip/rank0.json" (archive_file.h). Pipes can be opened too (piped_file.h).
//
// Plain files are read, not mapped: truncating a mapped file kills the process with SIGBUS.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/io/streams/byte_stream.h"
#include "core/io/streams/plain_file.h"

namespace tv {

/// The size, and the time of the last change: of a file in an archive, the archive's; of a pipe, when it was read.
Result<FileIdentity> identity_of(const std::string& path);

/// Compression and encoding are recognised by content, not by name.
Result<std::unique_ptr<ByteStream>> open_stream(const std::string& path);

/// `length` bytes of a file's text from `offset` on; fewer at the end. A compressed file is inflated from its beginning, and the
/// text before `offset` is discarded: no inflated copy is kept.
Result<std::string> read_text_at(const std::string& path, std::uint64_t offset, std::size_t length);

}  // namespace tv

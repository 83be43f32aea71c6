// Opens a file as one stream of its text (byte_stream.h). A zip is read as its first file; a file in an archive has the path
// "run.zip/rank0.json" (archive_file.h); a pipe is a file too (piped_file.h).
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

/// The size and the time of the last change. A file in an archive has its own size and the time of the archive.
Result<FileIdentity> identity_of(const std::string& path);

/// The format is recognised by content, not by name.
Result<std::unique_ptr<ByteStream>> open_stream(const std::string& path);

/// `length` bytes (or fewer, at the end) of a file's text from `offset` on. Compressed files are inflated up to there and the text
/// before is discarded: no inflated copy is kept.
Result<std::string> read_text_at(const std::string& path, std::uint64_t offset, std::size_t length);

}  // namespace tv

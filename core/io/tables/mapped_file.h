// Maps one of our own files into memory. Other programs should not truncate it: lost parts read as zeros and are reported.
//
// The system sends a signal (SIGBUS) when a page of a mapping cannot be read: the file was truncated, or the disk fails. The
// handler can only supply zeros, so callers must cope with zeros in such files.
//
// Blocks with a known checksum are checked when they are first touched. Until then their pages are unreadable, and the system
// sends another signal (SIGSEGV) on access. The handler computes the checksum of the block before it makes it readable. A block
// with a wrong checksum reads as zeros and is reported, so no damaged byte is taken for a number. (If the file was deleted or
// replaced, other threads can read a block while it is checked.) A block that is never touched costs nothing. (In gdb: handle
// SIGSEGV nostop noprint pass.)
// Cost: 30 us and the read for each block of 128 KiB when it is first touched; nothing after that. If a thread touches one block
// after the other, up to eight are checked at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace tv {

/// A part of a file that begins on a page boundary. Nothing else on its last page is read through the mapping.
struct SummedBlock {
  std::uint64_t offset = 0, bytes = 0;
  std::uint64_t hash = 0;  ///< XXH3 of these bytes
};

/// Maps the first `bytes` read-only: writing there ends the program. The last owner unmaps it. Until read_ahead(), the system reads
/// only the pages that are accessed, so opening a large file reads only a part of it.
/// `blocks`: checked when they are first touched, sorted by offset. Read a block before you pass its memory to a system call:
/// write(2) fails on bytes that were not touched yet.
Result<std::shared_ptr<std::byte>> map_file(const std::string& path, std::size_t bytes, std::vector<SummedBlock> blocks = {});

/// Whether the system's pages are small enough to check blocks when they are touched. If not, the caller must check them first.
bool checks_when_touched();
/// Makes this part of a mapping readable. The caller checks the whole part itself.
void let_read(const std::byte* first, std::size_t bytes);

/// Lets the system read ahead in the present mappings, for callers that go through all of their data.
void read_ahead();

/// Mapped files of which some part could not be read, each once.
std::vector<std::string> take_cut_files();

struct DamagedFile {
  std::string path;
  std::uint64_t byte_offset = 0;  ///< of the first damaged block that was found
  bool operator==(const DamagedFile&) const = default;
};
/// Returns each mapped file that has a block with a wrong checksum, once.
std::vector<DamagedFile> take_damaged_files();

}  // namespace tv

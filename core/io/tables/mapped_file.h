// Maps one of our own files into memory. Other programs should not truncate it: lost parts read as zeros and are reported.
//
// The system sends a signal (SIGBUS) when a page of a mapping cannot be read: the file was truncated, or the disk fails. The
// handler can only supply zeros, so callers must cope with zeros in such files.
//
// Blocks with a known checksum are checked when they are first touched. Until then their pages are unreadable, and the system
// sends another signal (SIGSEGV) on access. The handler computes the checksum before it makes the block readable. A block with a
// wrong checksum reads as zeros and is reported, so no damaged byte is taken for a number. (If the file was deleted or replaced,
// other threads can read a block while it is being checked.) A block that is never touched costs nothing. (In gdb: handle SIGSEGV
// nostop noprint pass.)
// Cost: 30 us and the read for each block of 128 KiB when it is first touched; nothing after that. If a thread touches blocks in
// order, up to eight are checked at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace tv {

/// A part of a file that begins on a page boundary. What follows it on its last page must not be read through the mapping.
struct SummedBlock {
  std::uint64_t offset = 0, bytes = 0;
  std::uint64_t hash = 0;  ///< XXH3 of these bytes
};

/// Maps the first `bytes` of a file, read-only: writing there ends the program. The last owner unmaps them. Until read_ahead() is
/// called, the system reads only the pages that are accessed, so opening a large file is cheap.
/// `blocks`: sorted by offset; each is checked when it is first touched. Touch a block before you pass its memory to a system call:
/// write(2) fails on bytes that were not touched yet.
Result<std::shared_ptr<std::byte>> map_file(const std::string& path, std::size_t bytes, std::vector<SummedBlock> blocks = {});

/// Whether the system's pages are small enough to check blocks when they are touched. If not, the caller must check them first.
bool checks_when_touched();
/// Makes this part of a mapping readable without a check: the caller checks it.
void let_read(const std::byte* first, std::size_t bytes);

/// Lets the system read ahead in all present mappings, for callers that will read all of their data.
void read_ahead();

/// Returns each mapped file of which some part could not be read, once.
std::vector<std::string> take_cut_files();

struct DamagedFile {
  std::string path;
  std::uint64_t byte_offset = 0;  ///< of the first damaged block that was found
  bool operator==(const DamagedFile&) const = default;
};
/// Returns each mapped file that has a block with a wrong checksum, once.
std::vector<DamagedFile> take_damaged_files();

}  // namespace tv

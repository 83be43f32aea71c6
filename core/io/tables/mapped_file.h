// A file of our own in memory as it lies on disk. Others should not truncate it: what is gone reads as zeros, and is told.
//
// The system says with a signal (SIGBUS) that a page of a mapping cannot be had, because its file was cut or its disk fails. Nothing
// else can be done in the middle of reading a number than to put zeros there; whoever reads such files has to take zeros.
//
// Blocks whose checksums are known are checked when they are first touched: until then they cannot be read at all, the system says so
// with another signal (SIGSEGV), and the bytes are read and summed up before they may be. A block whose sum is wrong reads as zeros,
// and is told; so nothing of it is ever taken for a number of the file, and what is never touched costs nothing.
// (In gdb: handle SIGSEGV nostop noprint pass.)
// Cost: of a block of 1 MiB that is touched 0.1 ms and the reading of it; of one that was touched before nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace tv {

/// A part of a file that begins on a page, and nothing else of which anybody reads is on its last page.
struct SummedBlock {
  std::uint64_t offset = 0, bytes = 0;
  std::uint64_t hash = 0;  ///< XXH3 of them
};

/// The first `bytes` of it, for reading only: writing there ends the program. Unmapped with the last owner. Until read_ahead() the
/// system reads the pages that are asked for and no others: of a large file that is opened only some are.
/// `blocks`: to be checked when they are touched, by offset. What they cover must not be handed to the system as it is (write(2) of
/// untouched bytes fails): only what was read there before.
Result<std::shared_ptr<std::byte>> map_file(const std::string& path, std::size_t bytes, std::vector<SummedBlock> blocks = {});

/// Whether pages of this system are so small that blocks can be checked as they are touched. Else whoever maps checks before.
bool checks_when_touched();
/// The caller checks this part of a mapping himself, all at once.
void let_read(const std::byte* first, std::size_t bytes);

/// From now on the system reads ahead in all that is mapped, as who goes through all of it wants it.
void read_ahead();

/// Mapped files of which something could not be had, each once.
std::vector<std::string> take_cut_files();

struct DamagedFile {
  std::string path;
  std::uint64_t byte_offset = 0;  ///< of the first block that was found
  bool operator==(const DamagedFile&) const = default;
};
/// Mapped files with a block whose sum is wrong, each once.
std::vector<DamagedFile> take_damaged_files();

}  // namespace tv

// A file of our own in memory as it lies on disk. Others should not truncate it: what is gone reads as zeros, and is told.
//
// The system says with a signal (SIGBUS) that a page of a mapping cannot be had, because its file was cut or its disk fails. Nothing
// else can be done in the middle of reading a number than to put zeros there; whoever reads such files has to take zeros.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace tv {

/// The first `bytes` of it, for reading only: writing there ends the program. Unmapped with the last owner. Until read_ahead() the
/// system reads the pages that are asked for and no others: of a large file that is opened only some are.
Result<std::shared_ptr<std::byte>> map_file(const std::string& path, std::size_t bytes);

/// From now on the system reads ahead in all that is mapped, as who goes through all of it wants it.
void read_ahead();

/// Mapped files of which something could not be had, each once.
std::vector<std::string> take_cut_files();

}  // namespace tv

// The files on disk that a trace was read from. Its records are still read from them, so no output may replace them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/store/draft/source_info.h"

namespace tv {

/// All files, including those that were not recognised, databases next to them, and the packed trace that holds them.
std::vector<std::string> input_files(std::span<const SourceInfo> sources);
/// An error if writing to `output` would destroy one of these files (new_file.h).
Result<void> check_output(const std::string& output, std::span<const SourceInfo> sources);

}  // namespace tv

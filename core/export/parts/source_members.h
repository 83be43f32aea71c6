// Members of Trace Event files other than events: deviceProperties, distributedInfo, schemaVersion, versions of CUDA, traceName.
// Programs such as HTA look for these members. They can come before or after the events. Members are left out and reported if
// several files disagree about them, or if they are not in the first 4 MiB or the last 256 KiB of a file.
// Cost: reading these parts of a plain file; a compressed file is inflated completely.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/store/trace/trace.h"

namespace tv {

struct SourceMembers {
  std::vector<std::pair<std::string, std::string>> kept;  ///< key without quotes, value as written: strict JSON
  std::vector<std::string> left_out;                      ///< with the reason
  std::vector<Error> problems;                            ///< sources that could not be read again
};

SourceMembers source_members(const Trace& trace);

}  // namespace tv

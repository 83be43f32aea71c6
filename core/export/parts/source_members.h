// Members of Trace Event files other than events: deviceProperties, distributedInfo, schemaVersion, versions of CUDA, traceName.
// Programs such as HTA look for these members. They can come before or after the events. Members are left out and reported if
// several files disagree about them, if they are not in the first 4 MiB or the last 256 KiB of a file, or if they are not strict
// JSON. viztracer_metadata is always left out, because its base time would shift the clock of the output. The exporter itself
// writes traceEvents, baseTimeNanoseconds, displayTimeUnit and otherData.
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
  std::vector<std::string> left_out;                      ///< with the reason: "traceName, which differs among 2 files"
  std::vector<Error> problems;                            ///< sources that could not be read again
};

SourceMembers source_members(const Trace& trace);

}  // namespace tv

// Members of Trace Event files other than events: deviceProperties, distributedInfo, schemaVersion, versions of CUDA, traceName.
// Programs such as HTA look for them. They come before the events or after them. If several files disagree, a member is left out
// and reported. Cost: the first and last part of a plain file; a compressed file is inflated completely.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/store/trace/trace.h"

namespace tv {

struct SourceMembers {
  std::vector<std::pair<std::string, std::string>> kept;  ///< key without its quotes and value, as written: strict JSON
  std::vector<std::string> left_out;                      ///< with the reason
  std::vector<Error> problems;                            ///< sources that could not be read again
};

SourceMembers source_members(const Trace& trace);

/// Members of the object that a text begins or ends with, before or after its events: keys without their quotes, values as JSON.
/// Nothing if there are no events: a file of one event after the other, or an array.
std::optional<std::vector<std::pair<std::string, std::string>>> members_before_events(std::string_view head);
std::vector<std::pair<std::string, std::string>> members_behind_events(std::string_view tail);

}  // namespace tv

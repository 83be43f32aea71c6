// What Trace Event files say beside their events: deviceProperties, distributedInfo, schemaVersion, versions of CUDA,
// traceName. Programs such as HTA look for them. They stand before the events or behind them. Where several files
// disagree a member is left out, and that is said. Cost: a plain file's first and last part; of a compressed one all is
// inflated.
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
  std::vector<std::string> left_out;                      ///< and why
  std::vector<Error> problems;                            ///< sources that could not be read again
};

SourceMembers source_members(const Trace& trace);

/// Members of the object that a text begins or ends with, up to the events or behind them: keys as they are, values as
/// JSON. Nothing when there are no events: a file of events one after the other, or an array.
std::optional<std::vector<std::pair<std::string, std::string>>> members_before_events(std::string_view head);
std::vector<std::pair<std::string, std::string>> members_behind_events(std::string_view tail);

}  // namespace tv

// Defines which objects are records of the Trace Event Format.
#pragma once

#include <array>
#include <string_view>

#include "core/read/json/record_finder.h"

namespace tv {

/// Keys of an event that the top-level object does not have. Every event has the first one.
inline constexpr std::array<std::string_view, 18> kEventKeys = {
    "ph", "name", "cat", "pid", "tid",     "ts",      "dur",      "args",  "id",
    "bp", "s",    "id2", "tts", "bind_id", "flow_in", "flow_out", "cname", "scope"};
inline constexpr std::uint32_t kPhaseKey = 1;
inline constexpr std::uint32_t kPhasePidAndTime = 0b101001;
inline constexpr RecordKeys kTraceRecord{kEventKeys, kPhaseKey,
                                         ((std::uint32_t{1} << kEventKeys.size()) - 1) & ~kPhaseKey, kPhasePidAndTime};

}  // namespace tv

// Converts a RolloutLog to bytes and back, for trace_file.h. Input is checked, so that every index is valid in its table.
#pragma once

#include <string>

#include "core/base/bytes.h"
#include "core/store/logs/rollout_log.h"

namespace tv {

std::string rollout_bytes(const RolloutLog& log);
/// The reader fails if the data are inconsistent. `sources`: number of sources of the trace.
void take_rollout(ByteReader& bytes, std::size_t sources, RolloutLog& log);

}  // namespace tv

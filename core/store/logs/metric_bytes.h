// Converts a MetricLog to bytes and back, for trace_file.h. Input is checked, so that every index is valid in its table.
#pragma once

#include <string>

#include "core/base/bytes.h"
#include "core/store/logs/metric_log.h"

namespace tv {

std::string metric_bytes(const MetricLog& log);
/// The reader fails if the data are inconsistent. `sources`: number of sources of the trace.
void take_metrics(ByteReader& bytes, std::size_t sources, MetricLog& log);

}  // namespace tv

// Converts a PipelineLog to bytes and back, for trace_file.h. Input is checked, so that every index is valid in its table.
#pragma once

#include <string>

#include "core/base/bytes.h"
#include "core/store/logs/pipeline_log.h"

namespace tv {

std::string pipeline_bytes(const PipelineLog& log);
/// The reader fails if the data are inconsistent. `sources`: number of sources of the trace.
void take_pipeline(ByteReader& bytes, std::size_t sources, PipelineLog& log);

}  // namespace tv

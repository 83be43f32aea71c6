// What an event of a Perfetto trace says beyond name and time: debug annotations of its packet, and of the packet that
// ends it, with the texts that they refer to by number. Finding those takes one pass over the file, of which the texts
// and the ends with annotations are kept for whoever asks next. Source: debug_annotation.proto.
#pragma once

#include <memory>
#include <string>

#include "core/read/reader.h"

namespace tv {

Result<std::unique_ptr<RecordTable>> open_perfetto_records(const std::string& path);

}  // namespace tv

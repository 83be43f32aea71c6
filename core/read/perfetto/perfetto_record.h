// Finds the data of a Perfetto event beyond name and time: the debug annotations of its packet and of the packet that ends it,
// with the texts to which they refer by number. Finding these takes one pass over the file; the texts and the ends with
// annotations are cached for later calls. Source: debug_annotation.proto.
#pragma once

#include <memory>
#include <string>

#include "core/read/reader.h"

namespace tv {

Result<std::unique_ptr<RecordTable>> open_perfetto_records(const std::string& path);

}  // namespace tv

// The input of everything above the index: one complete, immutable state of the loaded data. While files are being read, new
// snapshots replace the old ones from time to time. Ids are valid within one snapshot only (query/find_slice.h carries a selection
// over).
#pragma once

#include <cstdint>
#include <memory>

#include "core/index/trace_index.h"
#include "core/store/trace/trace.h"

namespace tv {

struct Snapshot {
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const TraceIndex> index;
  std::uint64_t generation = 0;  ///< grows with every publication
  bool complete = false;         ///< all sources are read to their end
};

}  // namespace tv

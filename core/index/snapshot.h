// The input of all layers above the index: one immutable, consistent state of the loaded data. While files are read, new
// snapshots replace the old ones from time to time. Ids are valid within one snapshot only; query/find_slice.h finds a selected
// slice in the next one.
#pragma once

#include <cstdint>
#include <memory>

#include "core/index/trace_index.h"
#include "core/store/trace/trace.h"

namespace tv {

struct Snapshot {
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const TraceIndex> index;
  std::uint64_t generation = 0;  ///< greater than that of any earlier snapshot
  bool complete = false;         ///< all sources were read to their end
};

}  // namespace tv

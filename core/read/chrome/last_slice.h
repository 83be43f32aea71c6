// Joins flow events with slices across chunks. A flow event belongs to the slice whose record precedes it, but a chunk of the
// text may end between the two.
#pragma once

#include <optional>

#include "core/read/chrome/chrome_chunk.h"

namespace tv {

/// Assigns flow events at the beginning of a chunk to the last slice of the previous chunk. Takes the parts in file order.
class LastSliceOfChunks {
 public:
  void add(ChromePart& part);

 private:
  std::optional<ChromePart::LastSlice> last_;
};

}  // namespace tv

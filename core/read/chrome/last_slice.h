// Flow events say which slice they are at by standing behind its record. Where a chunk of the text ends between the two, only here
// they meet.
#pragma once

#include <optional>

#include "core/read/chrome/chrome_chunk.h"

namespace tv {

/// Gives flow events at the beginning of a chunk the slice that the chunk before ends with, as within a chunk. For the parts in
/// file order.
class LastSliceOfChunks {
 public:
  void add(ChromePart& part);

 private:
  std::optional<ChromePart::LastSlice> last_;
};

}  // namespace tv

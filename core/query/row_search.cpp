#include "core/query/row_search.h"

namespace tv {

RowPart touching(const RowSlices& row, TimeRange range) {
  if (range.empty()) return {};
  RowPart part{first_beginning_at(row, range.begin), first_beginning_at(row, range.end)};
  // At most one slice extends into the range from before it, or two that overlap by rounding.
  while (part.first > 0 && row.end(part.first - 1) > range.begin) --part.first;
  part.last = std::max(part.first, part.last);
  return part;
}

}  // namespace tv

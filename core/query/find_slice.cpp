#include "core/query/find_slice.h"

#include "core/query/row_search.h"

namespace tv {
namespace {

bool is(const Trace& trace, std::size_t slice, const SliceKey& key) {
  return trace.slices.ref[slice].identity() == key.identity &&
         trace.labels.name(trace.slices.label[slice]) == key.name;
}

}  // namespace

SliceKey key_of(const Trace& trace, SliceId slice) {
  return {trace.slices.ref[idx(slice)].identity(),
          std::string(trace.labels.name(trace.slices.label[idx(slice)])),
          trace.origin_ns + trace.slices.begin[idx(slice)]};
}

std::optional<SliceId> find_slice(const Trace& trace, const SliceKey& key) {
  const Ns begin = key.begin_abs - trace.origin_ns;
  for (const Row& row : trace.rows) {
    const RowSlices slices = trace.slices_of(row);
    for (std::size_t i = first_beginning_at(slices, begin); i < slices.size() && slices.begin[i] == begin;
         ++i) {
      if (is(trace, row.first + i, key)) return slices.id(i);
    }
  }
  // A source whose clock became known later has moved: then the record alone identifies it.
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    if (is(trace, i, key)) return id_at<SliceId>(i);
  }
  return std::nullopt;
}

}  // namespace tv

#include "core/query/find_slice.h"

#include "core/query/row_search.h"

namespace tv {

SliceKey key_of(const Trace& trace, SliceId slice) {
  return {trace.ref_of(slice).identity(), std::string(trace.name_of(slice)), trace.origin_ns + trace.begin_of(slice)};
}

bool is_of_key(const Trace& trace, SliceId slice, const SliceKey& key) {
  return trace.ref_of(slice).identity() == key.identity && trace.name_of(slice) == key.name;
}

std::optional<SliceId> find_slice(const Trace& trace, const SliceKey& key) {
  const Ns begin = key.begin_abs - trace.origin_ns;
  for (const Row& row : trace.rows) {
    const RowSlices slices = trace.slices_of(row);
    for (std::size_t i = first_beginning_at(slices, begin); i < slices.size() && slices.begin(i) == begin;
         ++i) {
      if (is_of_key(trace, slices.id(i), key)) return slices.id(i);
    }
  }
  // If the source's clock became known later, the slice has moved. Then only the record identifies the slice.
  for (const SliceId slice : trace.ids()) {
    if (is_of_key(trace, slice, key)) return slice;
  }
  return std::nullopt;
}

LabelId same_label(const Trace& was, LabelId label, const Trace& now) {
  for (std::size_t l = 0; l < now.labels.size(); ++l) {
    const auto candidate = id_at<LabelId>(l);
    if (now.labels.name(candidate) == was.labels.name(label) && now.labels.category(candidate) == was.labels.category(label)) {
      return candidate;
    }
  }
  return kNone<LabelId>;
}

}  // namespace tv

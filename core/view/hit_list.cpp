#include "core/view/hit_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/count_text.h"

namespace tv {

HitList list_hits(std::shared_ptr<const Trace> trace, const SearchHits& hits, const NamePattern& pattern, HitOrder order,
                  std::size_t most) {
  HitList list{trace, hits_in_order(*trace, hits, most), hits.count(), find_lanes(*trace, pattern)};
  const auto arrange = [&](const auto& key) {
    std::ranges::stable_sort(list.slices, [&](SliceId a, SliceId b) { return order.falling ? key(b) < key(a) : key(a) < key(b); });
  };
  const SliceTable& slices = trace->slices;
  switch (order.by) {
    case HitColumn::Begin: arrange([&](SliceId s) { return slices.begin[idx(s)]; }); break;
    case HitColumn::Name: arrange([&](SliceId s) { return trace->labels.name(slices.label[idx(s)]); }); break;
    case HitColumn::Duration: arrange([&](SliceId s) { return slices.duration[idx(s)]; }); break;
    case HitColumn::Lane: arrange([&](SliceId s) { return trace->row(trace->row_of(s)).lane; }); break;
  }
  return list;
}

std::string words_of(const HitList& list) {
  if (list.slices.size() == list.of) return count_text(list.of, "hit");
  return fmt::format("the first {} of {}; select an area and search in it for others", format_count(list.slices.size()),
                     count_text(list.of, "hit"));
}

}  // namespace tv

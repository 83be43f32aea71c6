#include "core/view/hit_list.h"

#include <fmt/format.h>

#include "core/base/count_text.h"

namespace tv {

HitList list_hits(const Trace& trace, const SearchHits& hits, const NamePattern& pattern, std::size_t most) {
  return {hits_in_order(trace, hits, most), hits.count(), find_lanes(trace, pattern)};
}

std::string words_of(const HitList& list) {
  if (list.slices.size() == list.of) return count_text(list.of, "hit");
  return fmt::format("the first {} of {}; select an area and search in it for others", format_count(list.slices.size()),
                     count_text(list.of, "hit"));
}

}  // namespace tv

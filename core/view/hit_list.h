// The hits of a search one by one, in the order of time, and what else has such a name. Of more than kMostListed hits the first
// are listed, and it says so. Cost: a sort of those; made in the background (SliceSearch::list).
#pragma once

#include <string>
#include <vector>

#include "core/query/search_hits.h"

namespace tv {

inline constexpr std::size_t kMostListed = 100'000;  ///< hits: a table that is sorted in the time of a few frames

struct HitList {
  std::vector<SliceId> slices;  ///< by begin, then id
  std::uint64_t of = 0;         ///< hits there are
  std::vector<LaneId> lanes;    ///< with such a name
};

HitList list_hits(const Trace& trace, const SearchHits& hits, const NamePattern& pattern, std::size_t most = kMostListed);
/// "8,568 hits", "the first 100,000 of 1,234,567 hits; select an area and search in it for others".
std::string words_of(const HitList& list);

}  // namespace tv

// The hits of a search one by one, in the order of time, and what else has such a name. Of more than kMostListed hits the first
// are listed, and it says so. Cost: a sort of those; made in the background (SliceSearch::list).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/query/search_hits.h"

namespace tv {

inline constexpr std::size_t kMostListed = 100'000;  ///< hits: a table that is sorted in the time of a few frames

enum class HitColumn : std::uint8_t { Begin, Name, Duration, Lane };
struct HitOrder {
  HitColumn by = HitColumn::Begin;
  bool falling = false;
  bool operator==(const HitOrder&) const = default;
};

struct HitList {
  std::shared_ptr<const Trace> trace;  ///< that they are of
  std::vector<SliceId> slices;  ///< as they are ordered; of equal ones the earlier first
  std::uint64_t of = 0;         ///< hits there are
  std::vector<LaneId> lanes;    ///< with such a name
};

/// The first `most` in the order of time, then put in that order.
HitList list_hits(std::shared_ptr<const Trace> trace, const SearchHits& hits, const NamePattern& pattern, HitOrder order = {},
                  std::size_t most = kMostListed);
/// "8,568 hits", "the first 100,000 of 1,234,567 hits; select an area and search in it for others".
std::string words_of(const HitList& list);

}  // namespace tv

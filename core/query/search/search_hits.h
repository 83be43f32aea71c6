// The hits of a search, as one bit per slice. SearchHits tells how many there are, whether a slice is a hit, how many hits
// precede a slice, and which hit is next; all exactly, for any number of hits and threads.
//
// Hits are ordered by begin, then by their rows from top to bottom.
// Cost: construction reads the label column once on all threads; n / 7 bytes for n slices. A query takes a few searches per row;
// counting then reads at most 512 bits, and finding a hit reads the bits up to it. A query takes some ms in the largest traces,
// so query when something changes, not in every frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/query/search/hit_spread.h"
#include "core/query/search/search.h"
#include "core/store/trace/trace.h"

namespace tv {

/// The area that is searched: slices that touch `time`, on `lanes` and the lanes of groups among them. No lanes: on all lanes.
struct HitArea {
  TimeRange time;
  std::vector<LaneId> lanes;
  bool operator==(const HitArea&) const = default;
};

class SearchHits {
 public:
  SearchHits() = default;
  /// Slices and instants that have one of the labels and are in the area; null: anywhere.
  SearchHits(const Trace& trace, const LabelSet& labels, const HitArea* area, ThreadPool& pool);
  /// Those of the slices that are in the area.
  SearchHits(const Trace& trace, std::span<const SliceId> slices, const HitArea* area);

  /// Adds those of the slices that are in the area and not hits yet.
  void add(const Trace& trace, std::span<const SliceId> slices, const HitArea* area);

  std::uint64_t count() const { return spread_.hits; }
  bool empty() const { return count() == 0; }
  bool contains(SliceId slice) const {
    return idx(slice) / 64 < bits_.size() && (bits_[idx(slice) / 64] >> (idx(slice) % 64) & 1) != 0;
  }
  /// The number of hits with ids in [first, last).
  std::uint64_t count_between(std::size_t first, std::size_t last) const { return before(last) - before(first); }
  /// The first or last hit with an id in [first, last), if there is one.
  std::optional<SliceId> first_between(std::size_t first, std::size_t last) const;
  std::optional<SliceId> last_between(std::size_t first, std::size_t last) const;
  const HitSpread& spread() const { return spread_; }

 private:
  std::uint64_t before(std::size_t id) const;
  void count_up();

  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> sums_;  ///< hits before each 512 bits
  HitSpread spread_;
};

/// The number of hits before this slice, which need not be a hit.
std::uint64_t hits_before(const Trace& trace, const SearchHits& hits, SliceId slice);
/// The first hit after this slice, and the last one before it, if there is one.
std::optional<SliceId> next_hit(const Trace& trace, const SearchHits& hits, SliceId from);
std::optional<SliceId> previous_hit(const Trace& trace, const SearchHits& hits, SliceId from);
/// The first and the last of all hits.
std::optional<SliceId> first_hit(const Trace& trace, const SearchHits& hits);
std::optional<SliceId> last_hit(const Trace& trace, const SearchHits& hits);
/// The first hit that has not ended at t; the last one that begins before t.
std::optional<SliceId> first_hit_reaching(const Trace& trace, const SearchHits& hits, Ns t);
std::optional<SliceId> last_hit_before(const Trace& trace, const SearchHits& hits, Ns t);

/// The first `most` hits in order of time. Cost: a bisection of time, and a sort of the candidates.
std::vector<SliceId> hits_in_order(const Trace& trace, const SearchHits& hits, std::size_t most);

}  // namespace tv

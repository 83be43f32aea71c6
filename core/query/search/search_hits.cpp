#include "core/query/search/search_hits.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <mutex>
#include <tuple>

#include "core/query/lane_set.h"
#include "core/query/row_search.h"

namespace tv {
namespace {

constexpr std::size_t kWordsPerSum = 8;

struct IdSpan {
  std::size_t first, last;
};

// The area as ascending id ranges. Ids of a row are consecutive and in time order, so each row contributes at most one range.
std::vector<IdSpan> spans_of(const Trace& trace, const HitArea* area) {
  if (!area) return {{0, trace.items()}};
  std::vector<bool> in_area(trace.lanes.size(), false);
  for (const LaneId lane : resolve_lanes(trace, area->lanes)) in_area[idx(lane)] = true;
  std::vector<IdSpan> spans;
  for (const Row& row : trace.rows) {
    if (!in_area[idx(row.lane)]) continue;
    const RowPart part = touching(trace.slices_of(row), area->time);
    if (part.first < part.last) spans.push_back({row.first + part.first, row.first + part.last});
  }
  std::ranges::sort(spans, {}, &IdSpan::first);
  return spans;
}

bool within(const std::vector<IdSpan>& spans, std::size_t id) {
  const auto after = std::ranges::upper_bound(spans, id, {}, &IdSpan::first);
  return after != spans.begin() && id < std::prev(after)->last;
}

// A position in the order of hits.
struct HitPlace {
  Ns begin = 0;
  std::size_t row = 0;  // in the order of lanes
  std::size_t id = 0;
};

HitPlace hit_place(const Trace& trace, SliceId slice) { return {trace.begin_of(slice), idx(trace.row_of(slice)), idx(slice)}; }

// The number of slices of a row that come before `place`.
std::size_t count_before_place(const RowSlices& slices, std::size_t row, const HitPlace& place) {
  const std::size_t at = first_beginning_at(slices, place.begin);
  if (row > place.row) return at;
  const std::size_t end = first_beginning_after(slices, place.begin);
  if (row < place.row) return end;
  const std::size_t first = idx(slices.id(0));
  return place.id > first ? std::clamp(place.id - first, at, end) : at;
}

HitPlace place_after(HitPlace place) { return {place.begin, place.row, place.id + 1}; }

// Selects the best of the candidates, at most one per row.
class Best {
 public:
  Best(const Trace& trace, bool earliest) : trace_(trace), earliest_(earliest) {}
  // Must be called in row order, which decides ties.
  void offer(std::optional<SliceId> slice) {
    if (!slice) return;
    const Ns begin = trace_.begin_of(*slice);
    if (best_ && (earliest_ ? begin >= begin_ : begin < begin_)) return;
    best_ = slice;
    begin_ = begin;
  }
  std::optional<SliceId> slice() const { return best_; }

 private:
  const Trace& trace_;
  const bool earliest_;
  std::optional<SliceId> best_;
  Ns begin_ = 0;
};

std::optional<SliceId> earliest_from(const Trace& trace, const SearchHits& hits, const HitPlace& place) {
  Best best(trace, true);
  for (std::size_t r = 0; r < trace.rows.size(); ++r) {
    const Row& row = trace.rows[r];
    const RowSlices slices = trace.slices_of(row);
    best.offer(hits.first_between(row.first + count_before_place(slices, r, place), row.first + slices.size()));
  }
  return best.slice();
}

std::optional<SliceId> latest_before(const Trace& trace, const SearchHits& hits, const HitPlace& place) {
  Best best(trace, false);
  for (std::size_t r = 0; r < trace.rows.size(); ++r) {
    const Row& row = trace.rows[r];
    best.offer(hits.last_between(row.first, row.first + count_before_place(trace.slices_of(row), r, place)));
  }
  return best.slice();
}

}  // namespace

SearchHits::SearchHits(const Trace& trace, const LabelSet& labels, const HitArea* area, ThreadPool& pool) {
  if (labels.empty()) return;
  constexpr std::size_t kBlock = 1 << 18;  // a multiple of 64, so that no word is written by two threads
  const std::size_t n = trace.items();
  bits_.assign((n + 63) / 64, 0);
  const std::vector<IdSpan> spans = spans_of(trace, area);
  std::mutex mutex;
  pool.parallel_for((n + kBlock - 1) / kBlock, [&](std::size_t block) {
    const std::size_t begin = block * kBlock, end = std::min(n, begin + kBlock);
    auto span = std::ranges::partition_point(spans, [&](const IdSpan& s) { return s.last <= begin; });
    HitSpreader part(trace);
    for (; span != spans.end() && span->first < end; ++span) {
      for_each_slice(trace, std::max(span->first, begin), std::min(span->last, end),
                     [&](const SegmentSlices& slices, SliceId slice) {
                       if (!labels.contains(slices.label_of(slice))) return;
                       bits_[idx(slice) / 64] |= 1ULL << (idx(slice) % 64);
                       part.add(slices.begin_of(slice));
                     });
    }
    const std::lock_guard lock(mutex);
    spread_.add(part.spread());
  });
  count_up();
}

SearchHits::SearchHits(const Trace& trace, std::span<const SliceId> slices, const HitArea* area) {
  add(trace, slices, area);
}

void SearchHits::add(const Trace& trace, std::span<const SliceId> slices, const HitArea* area) {
  if (slices.empty()) return;
  bits_.resize((trace.items() + 63) / 64, 0);
  const std::vector<IdSpan> spans = spans_of(trace, area);
  HitSpreader spreader(trace);
  for (const SliceId slice : slices) {
    if (contains(slice) || (area && !within(spans, idx(slice)))) continue;
    bits_[idx(slice) / 64] |= 1ULL << (idx(slice) % 64);
    spreader.add(trace.begin_of(slice));
  }
  spread_.add(spreader.spread());
  sums_.clear();
  count_up();
}

void SearchHits::count_up() {
  sums_.reserve(bits_.size() / kWordsPerSum + 1);
  std::uint64_t sum = 0;
  for (std::size_t w = 0; w < bits_.size(); ++w) {
    if (w % kWordsPerSum == 0) sums_.push_back(sum);
    sum += static_cast<std::uint64_t>(std::popcount(bits_[w]));
  }
}

std::uint64_t SearchHits::before(std::size_t id) const {
  const std::size_t word = id / 64;
  if (word >= bits_.size()) return spread_.hits;
  std::uint64_t sum = sums_[word / kWordsPerSum];
  for (std::size_t w = word / kWordsPerSum * kWordsPerSum; w < word; ++w)
    sum += static_cast<std::uint64_t>(std::popcount(bits_[w]));
  return sum + static_cast<std::uint64_t>(std::popcount(bits_[word] & ((1ULL << (id % 64)) - 1)));
}

std::optional<SliceId> SearchHits::first_between(std::size_t first, std::size_t last) const {
  last = std::min(last, bits_.size() * 64);
  if (first >= last) return std::nullopt;
  std::uint64_t word = bits_[first / 64] & (~0ULL << (first % 64));
  for (std::size_t w = first / 64;; word = bits_[w]) {
    if (word != 0) {
      const std::size_t at = w * 64 + static_cast<std::size_t>(std::countr_zero(word));
      return at < last ? std::optional(id_at<SliceId>(at)) : std::nullopt;
    }
    if (++w * 64 >= last) return std::nullopt;
  }
}

std::optional<SliceId> SearchHits::last_between(std::size_t first, std::size_t last) const {
  last = std::min(last, bits_.size() * 64);
  if (first >= last) return std::nullopt;
  std::size_t w = (last - 1) / 64;
  std::uint64_t word = bits_[w] & (~0ULL >> (63 - (last - 1) % 64));
  for (;; word = bits_[--w]) {
    if (word != 0) {
      const std::size_t at = w * 64 + 63 - static_cast<std::size_t>(std::countl_zero(word));
      return at >= first ? std::optional(id_at<SliceId>(at)) : std::nullopt;
    }
    if (w * 64 <= first) return std::nullopt;
  }
}

std::uint64_t hits_before(const Trace& trace, const SearchHits& hits, SliceId slice) {
  if (hits.empty()) return 0;
  const HitPlace place = hit_place(trace, slice);
  std::uint64_t sum = 0;
  for (std::size_t r = 0; r < trace.rows.size(); ++r) {
    const Row& row = trace.rows[r];
    sum += hits.count_between(row.first, row.first + count_before_place(trace.slices_of(row), r, place));
  }
  return sum;
}

std::optional<SliceId> next_hit(const Trace& trace, const SearchHits& hits, SliceId from) {
  return hits.empty() ? std::nullopt : earliest_from(trace, hits, place_after(hit_place(trace, from)));
}

std::optional<SliceId> previous_hit(const Trace& trace, const SearchHits& hits, SliceId from) {
  return hits.empty() ? std::nullopt : latest_before(trace, hits, hit_place(trace, from));
}

std::optional<SliceId> first_hit(const Trace& trace, const SearchHits& hits) {
  return hits.empty() ? std::nullopt : earliest_from(trace, hits, {std::numeric_limits<Ns>::min()});
}

std::optional<SliceId> last_hit(const Trace& trace, const SearchHits& hits) {
  return hits.empty() ? std::nullopt : latest_before(trace, hits, {std::numeric_limits<Ns>::max(), SIZE_MAX});
}

// The loop over `from` is short: in a row, at most one slice runs at t, or two that overlap by rounding.
std::optional<SliceId> first_hit_reaching(const Trace& trace, const SearchHits& hits, Ns t) {
  if (hits.empty()) return std::nullopt;
  Best best(trace, true);
  for (const Row& row : trace.rows) {
    const RowSlices slices = trace.slices_of(row);
    std::size_t from = first_beginning_at(slices, t);
    while (from > 0 && slices.end(from - 1) > t) --from;
    best.offer(hits.first_between(row.first + from, row.first + slices.size()));
  }
  return best.slice();
}

std::optional<SliceId> last_hit_before(const Trace& trace, const SearchHits& hits, Ns t) {
  return hits.empty() ? std::nullopt : latest_before(trace, hits, {t});
}

std::vector<SliceId> hits_in_order(const Trace& trace, const SearchHits& hits, std::size_t most) {
  std::vector<SliceId> found;
  if (hits.empty() || most == 0) return found;
  // Bisection finds a time before which the first `most` hits begin.
  Ns until = std::numeric_limits<Ns>::max();
  const auto begin_before = [&](Ns t) {
    std::uint64_t sum = 0;
    for (const Row& row : trace.rows)
      sum += hits.count_between(row.first, row.first + first_beginning_at(trace.slices_of(row), t));
    return sum;
  };
  if (hits.count() > most) {
    Ns low = trace.extent.begin, high = trace.extent.end + 1;
    while (low + 1 < high) {
      const Ns middle = low + (high - low) / 2;
      (begin_before(middle) >= most ? high : low) = middle;
    }
    until = high;
  }
  found.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(hits.count(), most)));
  for (const Row& row : trace.rows) {
    const std::size_t end = row.first + first_beginning_at(trace.slices_of(row), until);
    std::size_t from = row.first;
    while (const auto hit = hits.first_between(from, end)) {
      found.push_back(*hit);
      from = idx(*hit) + 1;
    }
  }
  std::ranges::stable_sort(found, {}, [&](SliceId slice) { return trace.begin_of(slice); });
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace tv

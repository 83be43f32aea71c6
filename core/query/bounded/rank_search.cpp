#include "core/query/bounded/rank_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace tv {
namespace {

// Bins of one range.
constexpr std::size_t kLeastBins = 65;   // one for each power of two
constexpr std::size_t kMostBins = 256;   // so that most counts stay in a core's cache
constexpr std::size_t kValuesOfBin = 64;  // a range has one bin for this many values
constexpr std::uint8_t kMostBits = 16;

std::size_t bins_of(std::uint64_t width, LogBins bins) { return bins.bin_of(width) + 1; }

// The finest bins, at most `most` of them: for a whole list finest near its least value, for a part of a list equally wide.
LogBins finest_bins(std::uint64_t width, bool whole_list, std::size_t most) {
  LogBins bins{kMostBits};
  while (bins_of(width, bins) > most) whole_list ? --bins.bits : ++bins.scale;
  return bins;
}

}  // namespace

RankSearch::RankSearch(std::vector<List> lists, std::vector<std::vector<std::uint64_t>> counts,
                       std::span<const double> quantiles, RankMemory memory)
    : lists_(std::move(lists)),
      quantiles_(quantiles.begin(), quantiles.end()),
      memory_(memory),
      held_{0, 0},
      wanted_(2 * quantiles.size()),
      found_(lists_.size() * wanted_),
      ranges_(lists_.size()),
      first_range_(lists_.size() + 1),
      shares_(counts.size()) {
  std::iota(first_range_.begin(), first_range_.end(), 0u);
  for (std::size_t l = 0; l < lists_.size(); ++l) {
    Range& range = ranges_[l];
    range.list = static_cast<std::uint32_t>(l);
    range.count = lists_[l].count;
    range.look.least = lists_[l].least;
    range.look.width = static_cast<std::uint64_t>(lists_[l].most) - static_cast<std::uint64_t>(lists_[l].least);
  }
  for (std::size_t s = 0; s < counts.size(); ++s) shares_[s].counts = std::move(counts[s]);
}

std::uint64_t RankSearch::rank(const Range& range, std::size_t wanted) const {
  const std::uint64_t last = lists_[range.list].count - 1;
  const auto low = static_cast<std::uint64_t>(static_cast<double>(last) * quantiles_[wanted / 2]);
  return std::min(low + wanted % 2, last);
}

bool RankSearch::is_wanted(const Range& range, std::size_t wanted) const {
  const std::uint64_t at = rank(range, wanted);
  return at >= range.below && at < range.below + range.count;
}

double RankSearch::quantile(std::size_t list, std::size_t q) const {
  const double h = static_cast<double>(lists_[list].count - 1) * quantiles_[q];
  const auto value = [&](std::size_t wanted) { return static_cast<double>(found_[list * wanted_ + wanted]); };
  return between_ranks(value(2 * q), value(2 * q + 1), h - std::floor(h));
}

bool RankSearch::next_pass() {
  const bool any = std::ranges::any_of(ranges_, [](const Range& range) { return range.count > 0; });
  if (!any) return false;
  plan_pass();
  ++passes_;
  return true;
}

// Values of small ranges are stored, those of larger ranges are counted in bins. If the bins do not suffice, the largest ranges
// come first, and the others wait for a later pass.
void RankSearch::plan_pass() {
  std::vector<std::uint32_t> rising;
  std::uint64_t values = 0;
  for (std::uint32_t r = 0; r < ranges_.size(); ++r) {
    if (ranges_[r].count == 0) continue;
    rising.push_back(r);
    values += ranges_[r].count;
  }
  if (values > memory_.values) std::ranges::stable_sort(rising, {}, [&](std::uint32_t r) { return ranges_[r].count; });
  std::size_t stored_ranges = 0, stored_values = 0;
  for (; stored_ranges < rising.size() && ranges_[rising[stored_ranges]].count <= memory_.values - stored_values; ++stored_ranges) {
    ranges_[rising[stored_ranges]].look.turn = Turn::Keep;
    stored_values += static_cast<std::size_t>(ranges_[rising[stored_ranges]].count);
  }
  all_kept_ = stored_ranges == rising.size() && passes_ == 0;
  const std::size_t larger_ranges = rising.size() - stored_ranges;
  const std::size_t bins_of_share = std::max(memory_.bins / shares_.size(), kLeastBins);
  const std::size_t fair = larger_ranges == 0 ? 0 : std::clamp(bins_of_share / larger_ranges, kLeastBins, kMostBins);
  std::size_t bins = 0;
  for (std::size_t i = rising.size(); i-- > stored_ranges;) {
    Range& range = ranges_[rising[i]];
    const auto most = static_cast<std::size_t>(std::clamp<std::uint64_t>(range.count / kValuesOfBin, kLeastBins, fair));
    range.look.turn = Turn::Wait;
    range.look.bins = finest_bins(range.look.width, range.count == lists_[range.list].count, most);
    const std::size_t needed = bins_of(range.look.width, range.look.bins);
    if (needed > bins_of_share - bins) continue;
    range.look.turn = Turn::Count;
    range.look.first_bin = static_cast<std::uint32_t>(bins);
    bins += needed;
  }
  looks_.clear();
  for (const Range& range : ranges_) looks_.push_back(range.look);
  kept_.reset(new Ns[stored_values]);  // not initialised
  std::uint32_t at = 0;
  for (Share& share : shares_) {
    share.bins.assign(bins, 0);
    share.rooms.assign(ranges_.size(), {});
  }
  for (std::size_t r = 0; r < ranges_.size(); ++r) {
    if (ranges_[r].look.turn != Turn::Keep) continue;
    for (Share& share : shares_) {
      share.rooms[r] = {at, at + static_cast<std::uint32_t>(share.counts[r])};
      at = share.rooms[r].end;
    }
  }
  held_.values = std::max(held_.values, stored_values);
  held_.bins = std::max(held_.bins, bins * shares_.size());
}

// Selects the wanted ranks in rising order. Each leaves only the values after it to be searched.
void RankSearch::select(const Range& range, std::span<Ns> values) {
  std::size_t done = 0;
  bool first = true;
  for (std::size_t w = 0; w < wanted_; ++w) {
    if (!is_wanted(range, w)) continue;
    const auto at = static_cast<std::size_t>(rank(range, w) - range.below);
    if (first || at > done) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(first ? 0 : done + 1);
      // The next rank is the least of the remaining values.
      if (!first && at == done + 1) {
        std::iter_swap(from, std::min_element(from, values.end()));
      } else {
        std::nth_element(from, values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
      }
      done = at;
      first = false;
    }
    found(range, w) = values[at];
  }
}

std::vector<RankSearch::Narrowed> RankSearch::narrow(const Range& range) const {
  std::vector<Narrowed> out;
  const std::size_t bins = bins_of(range.look.width, range.look.bins);
  std::uint64_t below = range.below, in_bin = 0;
  std::size_t bin = 0, looked_at = bins;
  for (std::size_t w = 0; w < wanted_; ++w) {
    if (!is_wanted(range, w)) continue;
    const std::uint64_t at = rank(range, w);
    for (;; ++bin) {
      if (looked_at != bin) {
        in_bin = 0;
        for (const Share& share : shares_) in_bin += share.bins[range.look.first_bin + bin];
        looked_at = bin;
      }
      if (at < below + in_bin || bin + 1 == bins) break;
      below += in_bin;
    }
    const Ns least = static_cast<Ns>(static_cast<std::uint64_t>(range.look.least) + range.look.bins.first_of(bin));
    if (!out.empty() && out.back().range.look.least == least) continue;
    Range next;
    next.list = range.list;
    next.look.least = least;
    next.look.width = std::min(range.look.bins.last_of(bin), range.look.width) - range.look.bins.first_of(bin);
    next.below = below;
    next.count = in_bin;
    out.push_back({next, {}});
    for (const Share& share : shares_) out.back().counts.push_back(share.bins[range.look.first_bin + bin]);
  }
  return out;
}

// A range with only one possible value gives the answer. Any other becomes a range of the next pass.
void RankSearch::settle(Range range, std::span<const std::uint64_t> counts) {
  if (range.look.width == 0) {
    for (std::size_t w = 0; w < wanted_; ++w) {
      if (is_wanted(range, w)) found(range, w) = range.look.least;
    }
    return;
  }
  ranges_.push_back(range);
  for (std::size_t s = 0; s < shares_.size(); ++s) shares_[s].counts.push_back(counts[s]);
}

// After the first pass, each range lies within one bin of that pass. A list that was not counted then gets two bins that hold any
// value. They are unmarked if the list's values were stored, because then the list is done, and marked if the list waited.
void RankSearch::mark_ranges() {
  if (passes_ == 1) {
    first_looks_ = looks_;
    std::size_t bins = 0;
    for (const Look& look : looks_) {
      if (look.turn == Turn::Count) bins = std::max(bins, look.first_bin + bins_of(look.width, look.bins));
    }
    const Look two_bins{0, UINT64_MAX, static_cast<std::uint32_t>(bins), {0, 63}, Turn::Wait};
    for (Look& look : first_looks_) {
      if (look.turn == Turn::Count) continue;
      const bool waits = look.turn == Turn::Wait;
      look = two_bins;
      if (waits) look.first_bin += 2;
    }
    marked_.resize(bins + 4);
  }
  std::ranges::fill(marked_, std::uint8_t{0});
  marked_[marked_.size() - 2] = marked_[marked_.size() - 1] = 1;
  for (const Range& range : ranges_) {
    const Look& first = first_looks_[range.list];
    if (first.turn != Turn::Count) continue;
    const std::uint64_t above = static_cast<std::uint64_t>(range.look.least) - static_cast<std::uint64_t>(first.least);
    marked_[first.first_bin + first.bins.bin_of(above)] = 1;
  }
}

void RankSearch::end_pass(ThreadPool& pool, std::stop_token stop) {
  std::vector<std::vector<Narrowed>> narrowed(ranges_.size());
  std::vector<std::uint32_t> looked_at;
  for (std::uint32_t r = 0; r < ranges_.size(); ++r) {
    if (ranges_[r].look.turn != Turn::Wait) looked_at.push_back(r);
  }
  pool.parallel_for(
      looked_at.size(),
      [&](std::size_t i) {
        const std::uint32_t r = looked_at[i];
        const Range& range = ranges_[r];
        if (range.look.turn == Turn::Count) narrowed[r] = narrow(range);
        if (range.look.turn != Turn::Keep) return;
        for (const Share& share : shares_) {  // room is left if the file was truncated
          std::fill(kept_.get() + share.rooms[r].to, kept_.get() + share.rooms[r].end, range.look.least);
        }
        const std::uint32_t end = shares_.back().rooms[r].end;
        select(range, {kept_.get() + (end - range.count), static_cast<std::size_t>(range.count)});
      },
      stop);
  kept_.reset();
  all_kept_ = false;
  std::vector<std::vector<std::uint64_t>> counts;
  for (Share& share : shares_) {
    counts.push_back(std::move(share.counts));
    share = {};
  }
  const std::vector<Range> old_ranges = std::exchange(ranges_, {});
  std::size_t list = 0;
  std::vector<std::uint64_t> counts_of_range(shares_.size());
  for (std::size_t r = 0; r < old_ranges.size(); ++r) {
    for (; list <= old_ranges[r].list; ++list) first_range_[list] = static_cast<std::uint32_t>(ranges_.size());
    for (const Narrowed& next : narrowed[r]) settle(next.range, next.counts);
    if (old_ranges[r].look.turn != Turn::Wait || old_ranges[r].count == 0) continue;
    for (std::size_t s = 0; s < shares_.size(); ++s) counts_of_range[s] = counts[s][r];
    settle(old_ranges[r], counts_of_range);
  }
  for (; list < first_range_.size(); ++list) first_range_[list] = static_cast<std::uint32_t>(ranges_.size());
  if (!ranges_.empty()) mark_ranges();
}

}  // namespace tv

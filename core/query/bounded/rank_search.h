// Finds the values at given ranks in many lists at once, exactly and without storing the lists: for example the quantiles, by
// name, of half a billion durations.
//
// The caller passes all values in several passes, always split into the same shares, until next_pass() returns false. A wanted
// rank lies in a range of values, initially the range of its list. A pass stores the values of small ranges and counts those of
// larger ones in bins; each bin with a wanted rank then becomes a range of the next pass. Bins of a whole list are finest near
// its least value, because few durations are far above the others. Bins of a part of a list are equally wide, at most a 33rd of
// the part.
//
// Invariant: stored values and bins never exceed RankMemory, except that each share can have 65 bins. The result does not depend
// on the memory, the shares or the order. If another program truncates the mapped file of the values between two passes, the
// results are wrong, but nothing else is.
// Cost: one pass if all values fit, else two to four; a comparison per value and range of its list, a selection per stored range.
// Ranks interpolate as numpy does (percentile() in range_stats.h).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/base/time.h"

namespace tv {

struct RankMemory {
  std::size_t values = 0;  ///< of 8 bytes each; less than 2^32
  std::size_t bins = 0;    ///< of 4 bytes each, for all shares together; less than 2^32
};

/// Interpolates between neighbouring ranks as numpy's _lerp does, to the last bit.
inline double between_ranks(double low, double high, double t) {
  return t >= 0.5 ? high - (high - low) * (1 - t) : low + (high - low) * t;
}

/// Bins of numbers, in units of 2^scale: 2^bits per power of two, and one for each number below 2^(bits + 1).
struct LogBins {
  std::uint8_t bits = 0, scale = 0;

  std::size_t bin_of(std::uint64_t number) const {
    number >>= scale;
    const int shift = 63 - std::countl_zero(number | std::uint64_t{1} << bits) - bits;
    return (static_cast<std::size_t>(shift) << bits) + static_cast<std::size_t>(number >> shift);
  }
  std::uint64_t first_of(std::size_t bin) const {
    const int shift = shift_of(bin);
    return (std::uint64_t{bin} - (static_cast<std::uint64_t>(shift) << bits)) << (shift + scale);
  }
  std::uint64_t last_of(std::size_t bin) const { return first_of(bin) + ((std::uint64_t{1} << (shift_of(bin) + scale)) - 1); }

 private:
  int shift_of(std::size_t bin) const { return (bin >> bits) > 0 ? static_cast<int>(bin >> bits) - 1 : 0; }
};

class RankSearch {
 public:
  struct List {
    Ns least = 0, most = 0;  ///< of its values
    std::uint64_t count = 0;
  };

  /// `counts`: by share and list, the number of values that the share will pass, less than 2^32 each. `quantiles` rise, 0 to 1.
  RankSearch(std::vector<List> lists, std::vector<std::vector<std::uint64_t>> counts, std::span<const double> quantiles,
             RankMemory memory);

  /// Whether another pass is needed; if so, allocates its memory.
  bool next_pass();
  /// Takes one value of the pass. Only one thread at a time may use a share.
  void look_at(std::size_t share_index, std::size_t list, Ns value) {
    Share& share = shares_[share_index];
    if (all_kept_) {
      keep(share.rooms[list], value);
      return;
    }
    if (passes_ == 1) {  // each list is one range
      look_at_range(share, static_cast<std::uint32_t>(list), value);
      return;
    }
    // Most values are in none of the few remaining ranges, as one look-up in the bins of the first pass shows.
    const Look& first = first_looks_[list];
    const std::uint64_t above = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(first.least);
    if (above > first.width || !marked_[first.first_bin + first.bins.bin_of(above)]) return;
    for (std::uint32_t r = first_range_[list]; r < first_range_[list + 1]; ++r) {
      if (look_at_range(share, r, value)) return;
    }
  }
  /// To be called after all shares have passed all values.
  void end_pass(ThreadPool& pool, std::stop_token stop = {});

  /// For a list that is not empty, after the last pass. `q`: index into the quantiles.
  double quantile(std::size_t list, std::size_t q) const;

  /// The most memory held at once so far, and the number of passes.
  const RankMemory& held() const { return held_; }
  std::size_t passes() const { return passes_; }

 private:
  enum class Turn : std::uint8_t { Wait, Keep, Count };  // what this pass does with the values of a range
  // The data that each value is compared with.
  struct Look {
    Ns least = 0;
    std::uint64_t width = 0;  // most - least
    std::uint32_t first_bin = 0;
    LogBins bins;
    Turn turn = Turn::Wait;
  };
  struct Range {
    Look look;
    std::uint32_t list = 0;
    std::uint64_t below = 0, count = 0;  // values of the list below the range; values in it
  };
  struct Room {
    std::uint32_t to = 0, end = 0;  // the next value goes to kept_[to]
  };
  struct Share {
    std::vector<std::uint64_t> counts;  // by range
    std::vector<Room> rooms;            // by range
    std::vector<std::uint32_t> bins;
  };
  // A bin that becomes a range of the next pass, with its counts by share.
  struct Narrowed {
    Range range;
    std::vector<std::uint64_t> counts;
  };

  void keep(Room& room, Ns value) {
    if (room.to != room.end) kept_[room.to++] = value;
  }
  bool look_at_range(Share& share, std::uint32_t r, Ns value) {
    const Look& range = looks_[r];
    const std::uint64_t above = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(range.least);
    if (above > range.width) return false;
    if (range.turn == Turn::Count) {
      ++share.bins[range.first_bin + range.bins.bin_of(above)];
    } else if (range.turn == Turn::Keep) {
      keep(share.rooms[r], value);
    }
    return true;
  }
  std::uint64_t rank(const Range& range, std::size_t wanted) const;
  bool is_wanted(const Range& range, std::size_t wanted) const;
  Ns& found(const Range& range, std::size_t wanted) { return found_[range.list * wanted_ + wanted]; }
  void plan_pass();
  void select(const Range& range, std::span<Ns> values);
  std::vector<Narrowed> narrow(const Range& range) const;
  void mark_ranges();
  void settle(Range range, std::span<const std::uint64_t> counts);

  std::vector<List> lists_;
  std::vector<double> quantiles_;
  RankMemory memory_, held_;
  std::size_t wanted_;                      // ranks per list: for each quantile the one below and the one above
  std::vector<Ns> found_;                   // by list, wanted rank
  std::vector<Range> ranges_;               // by list, then by value
  std::vector<Look> looks_;                 // one per range, for this pass
  std::vector<std::uint32_t> first_range_;  // by list, into ranges_; one more entry at the end
  std::vector<Look> first_looks_;           // by list, for the first pass
  std::vector<std::uint8_t> marked_;        // by bin of the first pass: whether a range is in it
  std::vector<Share> shares_;
  std::unique_ptr<Ns[]> kept_;
  bool all_kept_ = false;                   // this is the first pass, and it stores all values
  std::size_t passes_ = 0;
};

}  // namespace tv

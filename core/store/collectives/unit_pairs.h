// Compares the clocks of two units by the ends of their collectives (collective_clock.h).
//
// A pair of streams counts if its ends spread by at most kSurelyTight, or by less if few kernels match. If nearly all kernels
// match, it also counts if its ends spread by at most kTightSpread and three fifths of the spread of its begins, or by at most
// kMostSpread and a third of the spread of its begins.
//
// The collectives of a unit never change, nor does the result for two units. So every view that has the units reuses both.
// Cost: O(collectives log collectives) for a unit; for two units some 100 us for each pair of streams that is tried, at most 16.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/store/collectives/stream_match.h"

namespace tv {

/// Limits of the spread of ends, see above.
inline constexpr Ns kSurelyTight = 10 * kMicrosecond, kTightSpread = 25 * kMicrosecond, kMostSpread = 100 * kMicrosecond;

/// All collectives of a unit, prepared for comparison.
class UnitCollectives {
 public:
  /// Streams and kernels may be in any order.
  explicit UnitCollectives(std::vector<CollectiveStream> streams);
  UnitCollectives(const UnitCollectives&) = delete;
  UnitCollectives& operator=(const UnitCollectives&) = delete;

  std::size_t size() const;
  /// The eight streams with the most collectives.
  const std::vector<StreamProbe>& streams() const { return probes_; }

 private:
  std::vector<CollectiveStream> streams_;  // referenced by the probes
  std::vector<StreamProbe> probes_;
};

/// The result for units a and b: a time of b plus `offset` is a time of a.
struct UnitPair {
  Ns offset = 0, spread = 0;
  Ns period = 0;  ///< not 0: an offset that differs by this fits as well
  std::vector<std::pair<std::size_t, std::uint32_t>> matched_a, matched_b;  ///< streams, with the number of matched collectives
  std::vector<std::int32_t> residuals;
};

/// Null: no pair of streams counts.
std::shared_ptr<const UnitPair> compare_units(const UnitCollectives& a, const UnitCollectives& b);
/// The number of pairs of streams that compare_units() tries.
std::size_t compared_streams(const UnitCollectives& a, const UnitCollectives& b);

/// Caches the results for pairs, for the next view that has both units.
class ComparedPairs {
 public:
  using Unit = std::shared_ptr<const UnitCollectives>;

  std::shared_ptr<const UnitPair> of(const Unit& a, const Unit& b);
  /// Drops all pairs that were not used since the previous call.
  void forget_unused() { known_ = std::exchange(used_, {}); }
  std::size_t compared() const { return compared_; }  ///< how many pairs were compared, because they were not cached

 private:
  using Pairs = std::map<std::pair<Unit, Unit>, std::shared_ptr<const UnitPair>>;
  Pairs known_, used_;
  std::size_t compared_ = 0;
};

}  // namespace tv

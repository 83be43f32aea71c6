// Compares the clocks of two units by the ends of their collectives (collective_clock.h).
//
// A pair of streams counts if the spread of its ends is at most kSurelyTight (less if few kernels match). If nearly all match, it
// also counts up to kTightSpread and three fifths of the spread of the begins, or up to kMostSpread and a third of it.
//
// Neither a unit's collectives nor the result for two of them ever changes: both are reused by every view that has them.
// Cost: O(collectives) for a unit; for two units some 100 us for each pair of streams that is tried, 16 at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/store/collectives/stream_match.h"

namespace tv {

inline constexpr Ns kSurelyTight = 10 * kMicrosecond, kTightSpread = 25 * kMicrosecond, kMostSpread = 100 * kMicrosecond;

/// All collectives of a unit, prepared for comparison.
class UnitCollectives {
 public:
  /// The streams may be in any order.
  explicit UnitCollectives(std::vector<CollectiveStream> streams);
  UnitCollectives(const UnitCollectives&) = delete;
  UnitCollectives& operator=(const UnitCollectives&) = delete;

  std::size_t size() const;
  /// The streams with the most collectives.
  const std::vector<StreamProbe>& streams() const { return probes_; }

 private:
  std::vector<CollectiveStream> streams_;  // referenced by the probes
  std::vector<StreamProbe> probes_;
};

/// For units a and b: b's times plus `offset` are a's.
struct UnitPair {
  Ns offset = 0, spread = 0;
  Ns period = 0;  ///< not 0: an offset that differs by this fits as well
  std::vector<std::pair<std::size_t, std::uint32_t>> matched_a, matched_b;  ///< by stream: the number of matched collectives
  std::vector<std::int32_t> residuals;
};

/// Null: they cannot be compared.
std::shared_ptr<const UnitPair> compare_units(const UnitCollectives& a, const UnitCollectives& b);
/// The number of pairs of streams that compare_units() tries.
std::size_t compared_streams(const UnitCollectives& a, const UnitCollectives& b);

/// Caches compared pairs, for the next view that has both units.
class ComparedPairs {
 public:
  using Unit = std::shared_ptr<const UnitCollectives>;

  std::shared_ptr<const UnitPair> of(const Unit& a, const Unit& b);
  /// Drops all pairs that were not used since the last call.
  void forget_unused() { known_ = std::exchange(used_, {}); }
  std::size_t compared() const { return compared_; }  ///< number of pairs that were not cached

 private:
  using Pairs = std::map<std::pair<Unit, Unit>, std::shared_ptr<const UnitPair>>;
  Pairs known_, used_;
  std::size_t compared_ = 0;
};

}  // namespace tv

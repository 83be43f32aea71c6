// What two units tell about each other's clocks, from the ends of their collectives (collective_clock.h).
//
// A pair counts if its ends spread by less than kSurelyTight (less still if few kernels match), or by less than kTightSpread
// and three fifths of what the begins do, or by less than kMostSpread and a third of that.
//
// Neither a unit's collectives nor the result for two of them ever changes: both serve every view that has them.
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

/// All collectives of a unit, as they are compared.
class UnitCollectives {
 public:
  /// In any order.
  explicit UnitCollectives(std::vector<CollectiveStream> streams);
  UnitCollectives(const UnitCollectives&) = delete;
  UnitCollectives& operator=(const UnitCollectives&) = delete;

  std::size_t size() const;
  /// The streams with the most collectives.
  const std::vector<StreamProbe>& streams() const { return probes_; }

 private:
  std::vector<CollectiveStream> streams_;  // the probes look at them
  std::vector<StreamProbe> probes_;
};

/// For units a and b: b's times plus `offset` are a's.
struct UnitPair {
  Ns offset = 0, spread = 0;
  Ns period = 0;  ///< not 0: moved by this they would fit as well
  std::vector<std::pair<std::size_t, std::uint32_t>> matched_a, matched_b;  ///< by stream, how many collectives
  std::vector<std::int32_t> residuals;
};

/// Null: they say nothing of each other.
std::shared_ptr<const UnitPair> compare_units(const UnitCollectives& a, const UnitCollectives& b);
/// How many pairs of streams that looks at.
std::size_t compared_streams(const UnitCollectives& a, const UnitCollectives& b);

/// Pairs that were compared, for the next view with both in it.
class ComparedPairs {
 public:
  using Unit = std::shared_ptr<const UnitCollectives>;

  std::shared_ptr<const UnitPair> of(const Unit& a, const Unit& b);
  /// All that was not asked for since it was called last.
  void forget_unused() { known_ = std::exchange(used_, {}); }
  std::size_t compared() const { return compared_; }  ///< how often something was not known

 private:
  using Pairs = std::map<std::pair<Unit, Unit>, std::shared_ptr<const UnitPair>>;
  Pairs known_, used_;
  std::size_t compared_ = 0;
};

}  // namespace tv

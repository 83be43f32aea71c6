// By how much one stream's clock is off another's, from the ends of the collectives in both (collective_clock.h says
// how). Cost: making a probe is O(collectives), matching two of them some 100 us.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/time.h"

namespace tv {

inline constexpr Ns kMostClockError = 60 * kSecond;
inline constexpr std::uint32_t kLeastCollectives = 3;

struct CollectiveKernel {
  std::uint64_t name = 0;  ///< equal for equal kernels
  Ns begin = 0, end = 0;   ///< by the recorded clock
};
using CollectiveStream = std::vector<CollectiveKernel>;  ///< by end

/// The parts of a stream that are compared. The stream must outlive this.
class StreamProbe {
 public:
  explicit StreamProbe(const CollectiveStream& stream);

  struct Interval {
    Ns length = 0;            ///< between the ends of a collective and the one before
    std::uint32_t index = 0;  ///< index of the later collective
  };

  const CollectiveStream& stream() const { return *stream_; }
  const std::vector<Interval>& long_intervals() const { return long_; }  ///< by length
  const std::vector<std::uint32_t>& voters() const { return voters_; }   ///< indices of some of them, rising
  const std::vector<std::uint32_t>& judges() const { return judges_; }  ///< collectives around them and between, rising
  const std::vector<std::uint32_t>& compared() const { return compared_; }  ///< more of them, rising
  bool has(std::uint64_t name) const;
  /// Indices of the kernels whose records say which collective they are, by name. Names are hashes, so the first ones are a sample
  /// that is the same on all ranks.
  const std::vector<std::uint32_t>& told() const { return told_; }
  /// Names of groups, if records say only to which group kernels belong; rising.
  std::vector<std::uint64_t> told_groups() const;
  /// Indices of the kernels whose records say that they belong to this collective (told_collectives.h).
  std::span<const std::uint32_t> of_collective(std::uint64_t name) const;
  Ns interval() const { return interval_; }                                 ///< median of all

 private:
  void find_names();
  void find_intervals();

  const CollectiveStream* stream_;
  std::vector<Interval> long_;
  std::vector<std::uint32_t> voters_, judges_, compared_;
  std::vector<std::uint64_t> names_;  // of kernels that records say nothing about; rising, each once
  std::vector<std::uint32_t> told_;   // indices of the other kernels, by name
  Ns interval_ = 0;
};

struct StreamMatch {
  Ns offset = 0;        ///< end in a - end in b
  double cost = 0;      ///< smaller is better
  Ns spread = 0;        ///< standard deviation of the ends' differences, from their median
  Ns begin_spread = 0;  ///< the same for the begins
  Ns period = 0;        ///< not 0: an offset that differs by this fits as well
  std::uint32_t matched = 0;
  double part = 0;                      ///< of all collectives of the shorter stream
  double share = 0;                     ///< of those in the time that both captured
  std::vector<std::int32_t> residuals;  ///< of the matched ones: end in a - (end in b + offset)
};

/// Empty where they have no collectives in common. `at`: only near this offset, which costs a tenth. If records say which
/// collectives or groups are in both, only those are compared: what else is on the streams belongs to other groups.
std::optional<StreamMatch> match_streams(const StreamProbe& a, const StreamProbe& b, std::optional<Ns> at = {});

}  // namespace tv

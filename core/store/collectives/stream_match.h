// The offset of one stream's clock from another's, by the ends of the collectives in both (collective_clock.h has the method).
// Cost: making a probe is O(collectives), matching two of them some 100 us.
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
    Ns length = 0;            ///< from the end of the previous collective to that of this one
    std::uint32_t index = 0;  ///< index of the later collective
  };

  const CollectiveStream& stream() const { return *stream_; }
  const std::vector<Interval>& long_intervals() const { return long_; }  ///< by length
  const std::vector<std::uint32_t>& voters() const { return voters_; }   ///< indices of the later kernels of some, ascending
  const std::vector<std::uint32_t>& judges() const { return judges_; }  ///< indices at both ends of some, and between; ascending
  const std::vector<std::uint32_t>& compared() const { return compared_; }  ///< the same, but more of them
  bool has(std::uint64_t name) const;
  /// Indices of kernels whose records identify the collective, ordered by name. Names are hashes, so the first ones are a sample
  /// that is the same on all ranks.
  const std::vector<std::uint32_t>& told() const { return told_; }
  /// Names of groups, for kernels whose records only identify the group; ascending.
  std::vector<std::uint64_t> told_groups() const;
  /// Indices of the kernels whose records identify this collective (told_collectives.h).
  std::span<const std::uint32_t> of_collective(std::uint64_t name) const;
  Ns interval() const { return interval_; }                                 ///< median of a sample of the intervals

 private:
  void find_names();
  void find_intervals();

  const CollectiveStream* stream_;
  std::vector<Interval> long_;
  std::vector<std::uint32_t> voters_, judges_, compared_;
  std::vector<std::uint64_t> names_;  // of kernels without such records; ascending, unique
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
  double part = 0;                      ///< matched share of all collectives of the shorter stream
  double share = 0;                     ///< matched share of those in the time that both captured
  std::vector<std::int32_t> residuals;  ///< of the matched ones: end in a - (end in b + offset)
};

/// Empty if they have no collectives in common. `at`: tries only this offset, at a tenth of the cost. If records show which
/// collectives or groups are in both streams, only those are compared: the others belong to other groups.
std::optional<StreamMatch> match_streams(const StreamProbe& a, const StreamProbe& b, std::optional<Ns> at = {});

}  // namespace tv

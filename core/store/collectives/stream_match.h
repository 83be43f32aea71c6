// Finds the offset between the clocks of two streams by the ends of the collectives in both; collective_clock.h explains the
// method.
// Cost: O(collectives log collectives) to make a probe, some 100 us to match two.
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
  std::uint64_t name = 0;  ///< of the kernel and, if its record says so, of its group or collective (told_name())
  Ns begin = 0, end = 0;   ///< RecordedTime
};
using CollectiveStream = std::vector<CollectiveKernel>;  ///< by end

/// The parts of a stream that are compared. The stream must outlive the probe.
class StreamProbe {
 public:
  explicit StreamProbe(const CollectiveStream& stream);

  struct Interval {
    Ns length = 0;            ///< from the end of one collective to the end of the next
    std::uint32_t index = 0;  ///< index of the later collective
  };

  const CollectiveStream& stream() const { return *stream_; }
  const std::vector<Interval>& long_intervals() const { return long_; }  ///< by length
  /// Indices of the later kernels of some long intervals, ascending.
  const std::vector<std::uint32_t>& voters() const { return voters_; }
  /// Indices of both kernels of some long intervals, and of kernels spread evenly over the stream; ascending.
  const std::vector<std::uint32_t>& judges() const { return judges_; }
  /// The same with more kernels of the second kind.
  const std::vector<std::uint32_t>& compared() const { return compared_; }
  bool has(std::uint64_t name) const;
  /// Indices of the kernels whose records identify the collective, by name. Names are hashes, so the first ones are a sample that
  /// is the same on all ranks.
  const std::vector<std::uint32_t>& identified() const { return identified_; }
  /// Names of the kernels whose records identify only the group, ascending.
  std::vector<std::uint64_t> group_names() const;
  /// Indices of the kernels whose records identify this collective (told_collectives.h).
  std::span<const std::uint32_t> of_collective(std::uint64_t name) const;
  Ns interval() const { return interval_; }  ///< median length of a sample of the intervals

 private:
  void find_names();
  void find_intervals();

  const CollectiveStream* stream_;
  std::vector<Interval> long_;
  std::vector<std::uint32_t> voters_, judges_, compared_;
  std::vector<std::uint64_t> names_;       // of the kernels that are not in identified_; ascending, unique
  std::vector<std::uint32_t> identified_;  // indices, by name
  Ns interval_ = 0;
};

struct StreamMatch {
  Ns offset = 0;        ///< end in a - end in b
  double cost = 0;      ///< less is better
  Ns spread = 0;        ///< how far the differences of ends lie from their median: robust estimate of the standard deviation
  Ns begin_spread = 0;  ///< the same for the differences of begins
  Ns period = 0;        ///< not 0: an offset that differs by this fits as well
  std::uint32_t matched = 0;            ///< number of matched collectives
  double part = 0;                      ///< their share of all compared collectives of the shorter stream
  double share = 0;                     ///< their share of the compared collectives in the time that both streams cover
  std::vector<std::int32_t> residuals;  ///< of the matched collectives: end in a - (end in b + offset)
};

/// Nullopt: the streams have no collectives in common. `at`: try only this offset, at a tenth of the cost. If records show which
/// collectives or groups are in both streams, only those are compared, because the others belong to other groups.
std::optional<StreamMatch> match_streams(const StreamProbe& a, const StreamProbe& b, std::optional<Ns> at = {});

}  // namespace tv

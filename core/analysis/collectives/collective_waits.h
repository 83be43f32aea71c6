// Who waited for whom in collectives. The time of each communication kernel is split into waiting for the last rank to arrive,
// and transfer. Which kernels form one collective comes from collective_match.h.
//
//   rank 0   [ waits         | transfer ]     waits until the last one begins
//   rank 1         [ waits   | transfer ]
//   rank 2                   [ transfer ]     the last: the others waited 15 + 9 for it
//
// Invariant: for a matched kernel waiting + transfer is its duration; a kernel without partners has neither. The last rank is
// named only if it came later than the second to last by more than the clocks' error: the distance of their ends here or, if
// larger, the 90 % residual of their clocks. GPUs whose clocks are not connected are never compared: the files of one process
// have one clock; others must be connected by collectives (fit_segments.h).
// Ranks that were not recorded may have been the last: then the time that the others waited for them counts as transfer.
//
// Unit: nanoseconds of the view. Cost: that of the matching; a sum is O(matched kernels log rows). Source: TraceLens
// ("skew"), HTA's straggler analysis; what NCCL's kernels do while a rank is missing: they spin.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"

namespace tv {

struct CollectiveMember {
  SliceId slice{};
  std::uint32_t gpu = 0;  ///< index into CollectiveWaits::gpus
  Ns waited = 0;  ///< time it waited for the last rank; 0 for the last itself
};

struct MatchedCollective {
  std::uint32_t first = 0, count = 0;  ///< in CollectiveWaits::members, by begin: the last one arrived last
  bool told = false;                   ///< its last rank is certain
};

/// The relation of a GPU's clock to those of the others that communicate.
enum class CommClock : std::uint8_t {
  None,         ///< it does not communicate
  Alone,        ///< no other GPU communicates
  Unknown,      ///< nothing connects it with another's
  One,          ///< it has the same clock as all GPUs that it is compared with
  Collectives,  ///< compared by collectives
};

/// For --json: "none", "alone", "unknown", "one", "collectives".
std::string_view name(CommClock clock);

struct CommGpu {
  std::string name;  ///< Gpu::name
  LaneId group{};    ///< Gpu::group
  CommClock clock = CommClock::None;
  Ns uncertain = 0;  ///< Collectives: nine in ten of its collectives end this close to the others'
};

struct CollectiveWaits {
  std::vector<MatchedCollective> collectives;  ///< by end
  std::vector<CollectiveMember> members;
  std::vector<CommGpu> gpus;  ///< in the order of the activity's GPUs
  std::shared_ptr<const Trace> trace;

  std::span<const CollectiveMember> of(const MatchedCollective& collective) const {
    return std::span(members).subspan(collective.first, collective.count);
  }
  const CollectiveMember& last(const MatchedCollective& collective) const {
    return members[collective.first + collective.count - 1];
  }
  /// The total time that its other ranks waited.
  Ns lost(const MatchedCollective& collective) const;
  const std::string& name_of(const CollectiveMember& member) const { return gpus[member.gpu].name; }
  const CollectiveMember& longest(const MatchedCollective& collective) const;
  /// Null: it has no partners.
  const MatchedCollective* find(SliceId slice) const;

  std::vector<std::pair<SliceId, std::uint32_t>> by_slice;  ///< with the index into collectives, rising
};

/// For a rank, or for its kernels of one name.
struct WaitSum {
  std::uint64_t matched = 0, last = 0, not_told = 0;  ///< collectives: all; with it as the last; with an unknown last
  Ns waiting = 0, transfer = 0;
  Ns others_waited = 0;  ///< how long the others waited when it was the last
  Ns longest = 0;        ///< the longest wait
};

std::shared_ptr<const CollectiveWaits> make_collective_waits(const GpuActivity& activity);

/// One per GPU of the activity: sums over the collectives in which its rows take part; a scope may leave some out.
std::vector<WaitSum> wait_sums(const GpuActivity& activity, const CollectiveWaits& waits);
/// The sums of one kernel, as in CollectiveSum.
struct KernelWaits {
  LabelId label{};
  std::uint32_t gpu = 0;
  WaitSum sum;
};
/// By label and GPU.
std::vector<KernelWaits> kernel_waits(const GpuActivity& activity, const CollectiveWaits& waits);

/// The collectives in which one of the activity's GPUs waited longest for the last, at most `most`.
inline constexpr std::size_t kLongestWaits = 100;
std::vector<const MatchedCollective*> longest_waits(const GpuActivity& activity, const CollectiveWaits& waits,
                                                    std::size_t most);
/// The entry of one of the activity's GPUs. Null: it did not communicate.
const CommGpu* comm_gpu(const CollectiveWaits& waits, const Gpu& gpu);

/// "waited 21.6 ms for rank 0, GPU 0, the last of 8 ranks"; empty: it has no partners.
std::string wait_text(const CollectiveWaits& waits, SliceId slice);
/// Leads from a rank that waited to the last one, and from the last one to the rank that waited longest.
std::optional<SliceId> across_collective(const CollectiveWaits& waits, SliceId slice);
/// The arrows of a kernel, from those that waited to the last. A kernel that waited has one; the last one has all.
std::vector<Flow> wait_arrows(const CollectiveWaits& waits, SliceId slice);

}  // namespace tv

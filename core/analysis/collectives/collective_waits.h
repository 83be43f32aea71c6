// Who waited for whom in collectives. The time of each communication kernel is split into transfer and waiting for the last rank
// to arrive. collective_match.h finds the kernels of a collective.
//
//   rank 0   [ waits         | transfer ]     waits until the last one begins
//   rank 1         [ waits   | transfer ]
//   rank 2                   [ transfer ]     the last: the other two waited for it
//
// Invariant: for a matched kernel, waiting + transfer is its duration; a kernel without partners has neither. The last rank is
// certain only if it came later than the second to last by more than the clocks' error. The error is the distance between the two
// ends or, if larger, the 90 % residual of the two clocks. GPUs whose clocks are not connected are never compared: the files of
// one process have one clock; others must be connected by collectives (fit_segments.h).
// A rank that was not recorded may have been the last. The time for which the others waited for it then counts as transfer.
//
// Unit: nanoseconds of the view. Cost: that of the matching; a sum is O(matched kernels log rows). Source: TraceLens
// ("skew"), HTA's straggler analysis; NCCL's kernels spin while a rank is missing.
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
  Ns waited = 0;          ///< how long it waited for the last rank; 0 for the last itself
};

struct MatchedCollective {
  std::uint32_t first = 0, count = 0;  ///< in CollectiveWaits::members, sorted by begin: the last member arrived last
  bool last_is_certain = false;
};

/// The relation of a GPU's clock to those of the others that communicate.
enum class CommClock : std::uint8_t {
  None,         ///< the GPU does not communicate
  Alone,        ///< no other GPU communicates
  Unknown,      ///< nothing connects its clock with another GPU's
  One,          ///< all GPUs that it is compared with have the same clock
  Collectives,  ///< the clocks are connected by collectives
};

/// For --json: "none", "alone", "unknown", "one", "collectives".
std::string_view name(CommClock clock);

struct CommGpu {
  std::string name;  ///< Gpu::name
  LaneId group{};    ///< Gpu::group
  CommClock clock = CommClock::None;
  Ns uncertainty = 0;  ///< for CommClock::Collectives: 90 % of its collectives end within this of the other GPUs' ends
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
  /// The total time for which the other ranks waited.
  Ns lost(const MatchedCollective& collective) const;
  const std::string& name_of(const CollectiveMember& member) const { return gpus[member.gpu].name; }
  const CollectiveMember& longest(const MatchedCollective& collective) const;
  /// Null if the kernel has no partners.
  const MatchedCollective* find(SliceId slice) const;

  std::vector<std::pair<SliceId, std::uint32_t>> by_slice;  ///< members with the indices of their collectives, sorted
  std::vector<std::pair<LaneId, std::uint32_t>> by_group;   ///< the groups of `gpus` with their indices, sorted
};

/// The sums of a rank, or of its kernels of one name.
struct WaitSum {
  std::uint64_t matched = 0;         ///< number of collectives
  std::uint64_t last = 0;            ///< of these, those in which this rank is certainly the last
  std::uint64_t last_uncertain = 0;  ///< of these, those whose last rank is uncertain
  Ns waiting = 0, transfer = 0;
  Ns others_waited = 0;  ///< how long the other ranks waited when this one was the last
  Ns longest = 0;        ///< the longest wait
};

std::shared_ptr<const CollectiveWaits> make_collective_waits(const GpuActivity& activity);

/// One per GPU of the activity. Only kernels on the rows of the activity's GPUs count; a scope may leave some out.
std::vector<WaitSum> wait_sums(const GpuActivity& activity, const CollectiveWaits& waits);

/// The sums of the kernels with one label on one GPU, as in CollectiveSum.
struct KernelWaits {
  LabelId label{};
  std::uint32_t gpu = 0;
  WaitSum sum;
};
/// By label and GPU.
std::vector<KernelWaits> kernel_waits(const GpuActivity& activity, const CollectiveWaits& waits);

/// The waits in one collective, as in WaitSum: clipped to the activity's scope.
struct CountedWait {
  const MatchedCollective* collective = nullptr;
  const CollectiveMember* longest = nullptr;  ///< the one of the activity's GPUs that waited longest
  Ns waited = 0;                              ///< how long that one waited
  Ns all_waited = 0;                          ///< all ranks together
};
inline constexpr std::size_t kLongestWaits = 100;
/// The `most` collectives in which one of the activity's GPUs waited longest for the last.
std::vector<CountedWait> longest_waits(const GpuActivity& activity, const CollectiveWaits& waits, std::size_t most);
/// The entry of one of the activity's GPUs; null if the GPU did not communicate.
const CommGpu* comm_gpu(const CollectiveWaits& waits, const Gpu& gpu);

/// "waited 21.6 ms for rank 0, GPU 0, the last of 8 ranks"; empty if the kernel has no partners.
std::string wait_text(const CollectiveWaits& waits, SliceId slice);
/// For a kernel that waited, the last one of its collective; for the last one, the kernel that waited longest.
std::optional<SliceId> across_collective(const CollectiveWaits& waits, SliceId slice);
/// The arrows of a kernel. They lead from kernels that waited to the last one: a kernel that waited has one, the last has all.
std::vector<Flow> wait_arrows(const CollectiveWaits& waits, SliceId slice);

}  // namespace tv

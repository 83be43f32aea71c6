// What the GPUs of a trace did, in total and over time: computing, communicating, moving memory, or nothing. A GPU is the
// nearest group around a stream that belongs to a device (LaneOwner: "GPU 0", "NPU 3"), or the stream's parent if there is none.
// So one report of eight GPUs and eight traces of one GPU look alike.
//
//   compute     [=========]      [====]           computing kernels, which hide communication at the same time
//   comm              [=========]                 communication by the rules of work_rules.h
//   parts       ccccccooooeeeeeeeecccc            compute, overlapped, exposed; also graphs, memory alone, idle
//
// A graph whose kernels were not recorded is a kind of work of its own, because its contents are unknown.
//
// Invariant: the five parts of GpuTime and idle() do not overlap. They add up to the recorded part (recordings.h) of the GPU's
// span, which lasts from its first work to its last. Time in which two streams compute counts once. Cost: one sweep (gpu_sweep.h)
// of each GPU that is new, GPUs on all threads. Source: nsys recipes gpu_time_util_map and nccl_gpu_overlap_trace; HTA's temporal
// breakdown.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/scope/device_work.h"
#include "core/analysis/scope/scope.h"
#include "core/base/threads/thread_pool.h"
#include "core/store/trace/trace.h"

namespace tv {

struct RunningWork;

struct GpuTime {
  Ns compute = 0;     ///< computing, without communication at the same time
  Ns overlapped = 0;  ///< communication that overlaps with computing or with a graph
  Ns exposed = 0;     ///< communication that nothing hides
  Ns memory = 0;      ///< copies and memsets alone
  Ns graph = 0;       ///< graphs that no kernel overlaps
  Ns beside_graph = 0;  ///< the part of `overlapped` that only a graph hides; what the graph does is unknown

  Ns busy() const { return compute + overlapped + exposed + graph + memory; }
  /// Time in which a computing kernel runs.
  Ns computing() const { return compute + overlapped - beside_graph; }
  Ns graphs() const { return graph + beside_graph; }  ///< graphs that no computing kernel overlaps
  Ns communication() const { return overlapped + exposed; }
  /// Adds a stretch of time to the part that it belongs to; idle time belongs to none.
  void add(const RunningWork& running, Ns length);
  bool operator==(const GpuTime&) const = default;
};

struct Gpu {
  std::string name;                 ///< "GPU 0"; with several processes "rank 1, GPU 1"; unique
  LaneId group{}, process{};        ///< process: the outermost group around it
  std::vector<std::uint32_t> rows;  ///< indices into Trace::rows: those with work
  std::uint64_t slices = 0;
  bool communicates = false;  ///< any of its kernels is communication
  TimeRange span;  ///< from its first work to its last, counting only work that has a duration
  std::vector<TimeRange> unrecorded;  ///< stretches within `span`, in order: neither busy nor idle
  GpuTime time;
  TimeRange longest_gap;      ///< gpu_gaps.h; the first if several are equally long, empty if there is none
  std::vector<GpuTime> bins;  ///< bins[b] is the time in GpuActivity::bin_range(b)

  /// The recorded part of its span; shares refer to this.
  Ns recorded() const;
  bool was_recorded(TimeRange part) const;  ///< the whole part was recorded
  Ns idle() const { return recorded() - time.busy(); }
};

struct GpuActivity {
  std::shared_ptr<const Trace> trace;
  CommunicationRules rules;      ///< the rules that decide which kernels are communication
  bool communicates = false;     ///< any kernel was recognised as communication
  std::vector<DeviceWork> work;  ///< by label
  std::vector<Gpu> gpus;         ///< in the order of their lanes
  TimeRange extent;              ///< from the first work of any GPU to the last of any
  std::optional<Scope> scope;    ///< all times are clipped to its range: spans, sums, bins
  bool on_lanes = true;          ///< the scope has lanes of streams; else its time range counts on all streams
  std::shared_ptr<const GpuActivity> whole;  ///< for a scope: the whole activity; else null
  Ns first_bin = 0, bin = 1;     ///< bins are 1, 2 or 5 times a power of ten wide; the first begins at a multiple of ten bins

  std::size_t bins() const { return gpus.empty() ? 0 : gpus.front().bins.size(); }
  TimeRange bin_range(std::size_t b) const {
    const Ns begin = first_bin + static_cast<Ns>(b) * bin;
    return {begin, begin + bin};
  }
  std::optional<TimeRange> within() const { return scope ? std::optional(scope->range) : std::nullopt; }
  /// The part of a stretch of time that counts.
  TimeRange counted(TimeRange time) const { return scope ? clip_to(time, scope->range) : time; }
  bool is_work(SliceId slice) const { return work[idx(trace->label_of(slice))] != DeviceWork::None; }
};

/// Has no gpus if no work has a duration. GPUs that did the same in an `earlier` activity (same_gpus.h) are not swept again; the
/// result is the same either way.
std::shared_ptr<const GpuActivity> make_gpu_activity(std::shared_ptr<const Trace> trace, ThreadPool& pool,
                                                     CommunicationRules rules = {}, const GpuActivity* earlier = nullptr);
/// Finds the GPUs with their names, rows and spans, without summing up times.
std::shared_ptr<const GpuActivity> find_gpus(std::shared_ptr<const Trace> trace, ThreadPool& pool);
/// The activity within a scope: the GPUs with work that touches its range, on the scope's streams, or on all streams if it has
/// none. Null if there is no such GPU.
std::shared_ptr<const GpuActivity> activity_within(const std::shared_ptr<const GpuActivity>& all, const Scope& scope,
                                                   ThreadPool& pool);
/// Whether a stream's lane has slices. Cheap; true for every trace in which make_gpu_activity finds something.
bool may_have_gpus(const Trace& trace);

/// The nearest group around a lane that is a device (LaneOwner), else its parent, else the lane.
LaneId gpu_group(const Trace& trace, LaneId lane);
LaneId outermost_group(const Trace& trace, LaneId lane);
/// The outermost group around the lane that is a thread (LaneOwner): in nsys reports, the group of the thread's lanes of calls
/// and ranges. The lane itself if there is no such group.
LaneId thread_group(const Trace& trace, LaneId lane);
/// "rank 1, GPU 1"; the group's name alone if it is the outermost or there is only one process.
std::string name_in_process(const Trace& trace, LaneId group);

}  // namespace tv

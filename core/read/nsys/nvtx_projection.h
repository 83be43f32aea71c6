// Finds when the GPU work of a CPU range ran: from the first begin to the last end of all work that CUDA calls in the range
// launched. Only calls on the range's thread that begin and end in the range count. Each GPU has its own projection. Ranges that
// nest on the CPU nest on the GPU, since the calls of the inner one are among those of the outer one.
//
// There are three steps, each fed by the rows of other tables: work on the GPU (LaunchedWork), the calls that launched it
// (ThreadLaunches), and the ranges around the calls (GpuProjection). Source: NVIDIA's report nvtx_gpu_proj_trace (Nsight
// Systems), which merges all GPUs of a process. Cost: O(n log n) for n pieces of work and calls, O(log calls) per range.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/base/time.h"

namespace tv {

/// A kernel, copy or fill on a GPU, or a wait for one.
struct GpuWork {
  static constexpr std::int64_t kNowhere = INT64_MIN;  ///< the device of a wait, which takes no time on a GPU

  std::uint64_t launch;  ///< launch_key()
  std::int64_t process, device;
  Ns begin, end;
};

/// All work by its launch. On each GPU, the work of a graph's launch, or of an id that is used repeatedly, counts as one piece.
class LaunchedWork {
 public:
  LaunchedWork() = default;
  explicit LaunchedWork(std::vector<GpuWork> work);

  bool empty() const { return work_.empty(); }
  /// In a damaged table, all rows may have the same correlation id.
  static constexpr std::ptrdiff_t kMostGpus = 64;

  /// The work of a launch, by process and device, on its first kMostGpus GPUs; empty if the call launched nothing.
  std::span<const GpuWork> of(std::uint64_t launch) const;

 private:
  std::vector<std::uint64_t> launches_;  // for each piece of work; stored apart so that the searched values lie close together
  std::vector<GpuWork> work_;
};

/// A CUDA call that launched something.
struct LaunchCall {
  Ns begin, end;
  Ns work_begin, work_end;  ///< extent of all its work on one GPU
};

/// Calls of one thread that launched something on one GPU.
struct ThreadLaunches {
  std::int64_t thread = 0, process = 0, device = 0;
  std::vector<LaunchCall> calls;
};

/// Groups calls, which come in any order, by thread and GPU.
class LaunchesByThread {
 public:
  /// Reserves memory for this many calls. Too high a number costs nothing, because unused memory is never touched.
  void expect(std::size_t calls) { expected_ = calls; }
  void add(std::int64_t thread, Ns begin, Ns end, const GpuWork& work);
  std::vector<ThreadLaunches> take() { return std::move(launches_); }

 private:
  std::vector<ThreadLaunches> launches_;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::size_t> places_;
  std::size_t last_ = 0, expected_ = 0;
};

/// The time on a GPU of the work that a range launched there.
struct ProjectedRange {
  std::int64_t process, device;
  Ns begin, end;
  bool operator==(const ProjectedRange&) const = default;
};

class GpuProjection {
 public:
  GpuProjection();
  /// Several parts may belong to the same thread and GPU.
  GpuProjection(std::vector<ThreadLaunches> parts, ThreadPool& pool);
  GpuProjection(GpuProjection&&) noexcept;
  GpuProjection& operator=(GpuProjection&&) noexcept;
  ~GpuProjection();

  bool empty() const { return threads_.empty(); }
  /// Projects a range of a thread, by process and device, and appends the result to `out`. On any thread.
  void project(std::int64_t thread, Ns begin, Ns end, std::vector<ProjectedRange>& out) const;

 private:
  struct Thread;
  std::vector<Thread> threads_;  // by id
};

}  // namespace tv

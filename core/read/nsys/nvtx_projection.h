// Finds when the GPU work of a CPU range ran: from the first begin to the last end of all work that CUDA calls in the range
// launched. Only calls on its thread that begin and end in the range count. Each GPU has its own projection. Ranges that nest on
// the CPU nest on the GPU, since the calls of the inner one are among those of the outer one.
//
// In three steps, each fed by the rows of other tables: work on the GPU (LaunchedWork), the calls that launched it
// (ThreadLaunches), the ranges around them (GpuProjection). Source: NVIDIA's report nvtx_gpu_proj_trace (Nsight Systems), which
// merges all GPUs of a process. Cost: O(n log n) for n pieces of work and calls, O(log calls) per range.
#pragma once

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
  static constexpr std::int64_t kNowhere = INT64_MIN;  ///< device of a wait, which takes no time on the GPU

  std::uint64_t launch;  ///< launch_key()
  std::int64_t process, device;
  Ns begin, end;
};

/// All work by its launch. The work of a graph's launch, or of an id that is used repeatedly, counts as one piece on each GPU.
class LaunchedWork {
 public:
  LaunchedWork() = default;
  explicit LaunchedWork(std::vector<GpuWork> work);

  bool empty() const { return work_.empty(); }
  /// By process and device; empty: the call launched nothing.
  std::span<const GpuWork> of(std::uint64_t launch) const;

 private:
  std::vector<std::uint64_t> launches_;  // for each work; stored separately so that the searched values lie close together
  std::vector<GpuWork> work_;
};

/// A CUDA call that launched something.
struct LaunchCall {
  Ns begin, end;
  Ns work_begin, work_end;  ///< over all its work on one GPU
};

/// Calls of one thread that launched something on one GPU.
struct ThreadLaunches {
  std::int64_t thread = 0, process = 0, device = 0;
  std::vector<LaunchCall> calls;
};

/// Groups calls, which come in any order, by thread.
class LaunchesByThread {
 public:
  /// The approximate number of calls to come; memory that is not used in the end is never touched.
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
  struct OfThread;
  std::vector<OfThread> threads_;  // by id
};

}  // namespace tv

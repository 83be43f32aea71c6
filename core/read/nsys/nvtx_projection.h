// Where on the GPU the work of a CPU range ran: from the begin of the first to the end of the last piece of work that CUDA
// calls within the range launched. Only calls that begin and end in the range, on its thread, count. Each GPU has its own.
// Ranges that nest on the CPU nest on the GPU, as the calls of the inner are among those of the outer.
//
// In three steps, each fed by the rows of other tables: work on the GPU (LaunchedWork), the calls that launched it
// (ThreadLaunches), the ranges around them (GpuProjection).
// Source: NVIDIA's report nvtx_gpu_proj_trace (Nsight Systems), which takes all GPUs of a process together.
// Cost: O((work + calls) log + ranges x log calls).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "core/base/threads/thread_pool.h"
#include "core/base/time.h"

namespace tv {

/// A kernel, copy or fill on a GPU, or waiting for one.
struct GpuWork {
  static constexpr std::int64_t kNowhere = INT64_MIN;  ///< device of waiting: it takes no room on the GPU

  std::uint64_t launch;  ///< launch_key()
  std::int64_t process, device;
  Ns begin, end;
};

/// All work by what launched it. A graph's launch, or a number that is used again and again, counts as one piece of work on
/// each GPU.
class LaunchedWork {
 public:
  LaunchedWork() = default;
  explicit LaunchedWork(std::vector<GpuWork> work);

  bool empty() const { return work_.empty(); }
  /// By process and device; empty: the call launched nothing.
  std::span<const GpuWork> of(std::uint64_t launch) const;

 private:
  std::vector<std::uint64_t> launches_;  // of each work: kept apart so that the searched values lie close together
  std::vector<GpuWork> work_;
};

/// A CUDA call that launched something.
struct LaunchCall {
  Ns begin, end;
  Ns work_begin, work_end;  ///< of all its work on one GPU
};

/// Calls of one thread that launched something on one GPU.
struct ThreadLaunches {
  std::int64_t thread = 0, process = 0, device = 0;
  std::vector<LaunchCall> calls;
};

/// Takes calls in any order apart.
class LaunchesByThread {
 public:
  /// About how many will come; memory that is not used in the end is never touched.
  void expect(std::size_t calls) { expected_ = calls; }
  void add(std::int64_t thread, Ns begin, Ns end, const GpuWork& work);
  std::vector<ThreadLaunches> take() { return std::move(launches_); }

 private:
  std::vector<ThreadLaunches> launches_;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::size_t> places_;
  std::size_t last_ = 0, expected_ = 0;
};

/// The time on a GPU of what a range launched there.
struct ProjectedRange {
  std::int64_t process, device;
  Ns begin, end;
  bool operator==(const ProjectedRange&) const = default;
};

class GpuProjection {
 public:
  GpuProjection();
  /// Parts may be of the same thread and GPU.
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

// Checks whether the recording of a GPU can be complete. Only then do statements about its idle time hold.
//
//   launches without work    calls that put kernels or graphs on a GPU but have no arrow to any. Between launches with work, this
//                            means that work was lost, and the GPU was busy where it looks idle. Before the first launch with
//                            work or after the last, it means that recording on the GPU began late or ended early.
//   held kernels             kernels inside another kernel of their stream. A stream runs one kernel after the other, so the
//                            outer kernel ran for less time than was recorded. Kernels of a graph are exempt: they may run in
//                            parallel.
//   begins late, ends early  the recording is over a tenth shorter than is usual among ranks that run at the same time
//
// Invariant: launches that are captured into a graph (between BeginCapture and EndCapture) start no work and do not count. The
// launches of a process are not judged if none has an arrow, or if several ranks may own them. Cost: O(slices + launching calls *
// log arrows + sources * log sources), and for kernels in lower rows of a stream a search in each row above.
// Source: CUDA programming guide, "Streams"; torch kineto, where lost buffers leave such traces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"

namespace tv {

struct GpuCapture {
  LaneId group{};  ///< Gpu::group
  std::string gpu;
  std::uint64_t launches = 0;  ///< of its process, which may have several GPUs
  /// Launches without work: between launches with work, before the first of these, and after the last.
  std::uint64_t lost = 0, before_first = 0, after_last = 0;
  std::uint64_t held = 0;              ///< kernels that lie inside another kernel of their stream
  SliceId holder = kNone<SliceId>;     ///< the kernel that contains most of these
  TimeRange recorded;                  ///< of its process, on CPU and GPU
  Ns begins_late = 0, ends_early = 0;  ///< compared with the other ranks; 0 if about the same

  std::uint64_t without_work() const { return lost + before_first + after_last; }
  bool loses_launches() const;  ///< more than a few launches have no work
  bool holds_kernels() const;
  bool is_whole() const { return !loses_launches() && !holds_kernels() && begins_late == 0 && ends_early == 0; }
};

/// One entry for each of GpuActivity::gpus. `activity` must be that of a whole trace.
std::vector<GpuCapture> check_captures(const GpuActivity& activity, ThreadPool& pool);

/// Sentences that say what is wrong, one for all GPUs that share a fault. Empty if nothing is wrong.
std::vector<std::string> capture_sentences(const GpuActivity& activity, const std::vector<GpuCapture>& captures);

/// The same for a trace of up to `most` slices. For a larger trace, one sentence says that captures were not checked, and which
/// command checks them: the check would take longer than opening a packed trace, which reads no slices.
std::vector<std::string> capture_sentences(const std::shared_ptr<const Trace>& trace, ThreadPool& pool, std::size_t most);

}  // namespace tv

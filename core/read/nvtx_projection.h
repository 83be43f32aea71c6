// Where on the GPU the work of a CPU range ran: from the begin of the first to the end of the last piece of work that CUDA
// calls within the range launched. Calls count that begin and end in the range, on its thread. Each GPU has its own.
// Ranges that nest on the CPU nest on the GPU, as the calls of the inner are among those of the outer.
// Source: NVIDIA's report nvtx_gpu_proj_trace (formats.md 4.6), which takes all GPUs of a process together.
// Cost: O((work + calls) log + ranges x log calls).
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/base/time.h"

namespace tv {

/// A kernel, copy or fill on a GPU.
struct GpuWork {
  std::uint64_t launch;  ///< launch_key()
  std::int64_t process, device;
  Ns begin, end;
};

/// A CUDA call that launched something.
struct LaunchCall {
  std::uint64_t launch;
  std::int64_t thread;
  Ns begin, end;
};

struct CpuRange {
  std::int64_t thread;
  Ns begin, end;
  LabelId label;
  std::uint64_t offset;
};

struct ProjectedRange {
  std::size_t range;  ///< index of its CpuRange
  std::int64_t process, device;
  Ns begin, end;
  bool operator==(const ProjectedRange&) const = default;
};

class GpuProjection {
 public:
  /// `work` is put in order of its launches, what one launched on one GPU is put together.
  GpuProjection(std::vector<GpuWork>& work, const std::vector<LaunchCall>& calls);
  GpuProjection(GpuProjection&&) noexcept;
  ~GpuProjection();

  /// Those that have a place on a GPU, by range, then process and device. On any thread.
  std::vector<ProjectedRange> of(const std::vector<CpuRange>& ranges) const;

 private:
  struct OfThread;
  std::vector<OfThread> threads_;  ///< by id
};

}  // namespace tv

// Which GPUs of a trace did the same as in an earlier trace, shifted by one amount: the rows of their streams are the same
// (same_lanes.h). Sums over such GPUs stay valid. When a clock moves or a rank is opened, all GPUs but one are the same. Cost:
// that of same_lanes().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"

namespace tv {

/// The stream lanes of a GPU that have slices, even if none of these is work, in order.
struct GpuLanes {
  LaneId group{};
  std::vector<LaneId> lanes;
};
/// Sorted by first lane.
std::vector<GpuLanes> gpu_lanes(const Trace& trace);

struct SameGpu {
  struct Lanes {
    LaneId now{}, before{};
  };
  std::uint32_t gpu = UINT32_MAX;  ///< index into the earlier activity's GPUs; UINT32_MAX: none did the same
  Ns moved = 0;                    ///< by how much the GPU's work is later now
  LaneId group{};                  ///< in the earlier trace
  std::vector<Lanes> lanes;        ///< its streams, in order now and before

  bool is_known() const { return gpu != UINT32_MAX; }
};
/// One for each of `gpus`, the gpu_lanes() of `trace`. No GPU is the same if `earlier` is null, has a scope, or has other rules.
std::vector<SameGpu> same_gpus(const Trace& trace, std::span<const GpuLanes> gpus, const CommunicationRules& rules,
                               const GpuActivity* earlier);
/// By GPU of the activity.
std::vector<SameGpu> same_gpus(const GpuActivity& activity, const GpuActivity* earlier);

}  // namespace tv

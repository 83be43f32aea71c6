// Calls in which a CPU thread waits for a GPU (device_work.h: is_synchronising), and the work that each waited for. Traces do not
// say what a call waits for, but a call returns a few microseconds after that work ends. So we take the work on its process's
// GPUs that ended last before the call returned, if it ended after the call began.
//
//   CPU   [ cudaStreamSynchronize    ]
//   GPU   [ gemm ][ gemm ][ softmax ]          waited for softmax
//
// For a part of a trace (GpuActivity::scope), only calls that touch its range count: those on the scope's lanes, or on all
// threads if these lanes have none. Totals are clipped to the range; max and longest refer to whole calls.
// Cost: O(slices of the API) + O(rows of the GPUs * log n) per call. Source: nsys expert rule cuda_api_sync.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"

namespace tv {

struct ApiWait {
  SliceId call{};
  SliceId waited_for = kNone<SliceId>;  ///< none: no work ended during the call
  Ns after = 0;                         ///< from the end of that work to the call's return
};

/// Calls of one name on one thread.
struct ApiWaitSum {
  LabelId label{};
  LaneId thread{};                        ///< thread_group()
  std::uint64_t count = 0, for_work = 0;  ///< for_work: number of calls that waited for work
  Ns total = 0, max = 0;
  SliceId longest{};
};

struct ApiWaits {
  std::vector<ApiWait> waits;    ///< longest first, then in time
  std::vector<ApiWaitSum> sums;  ///< by total, longest first; then by name and thread
  bool on_lanes = true;          ///< the scope's lanes have such calls; else its time range counts on all threads
};

ApiWaits api_waits(const GpuActivity& activity);

}  // namespace tv

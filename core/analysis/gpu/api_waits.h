// Calls in which a CPU thread waits for a GPU (device_work.h: is_synchronising), and what each waited for: of the work
// on the GPUs of its process that which ended last before the call returned, when it ended after the call began. The
// traces do not say what a call waits for; it returns a few microseconds after that is done, so the end times tell.
//
//   CPU   [ cudaStreamSynchronize    ]
//   GPU   [ gemm ][ gemm ][ softmax ]          waited for softmax
//
// Of a part of a trace (GpuActivity::scope) it is the calls that touch it, of its threads where such calls are on one of
// them; totals are clipped to it, the longest are whole calls.
// Cost: O(slices of the API) + O(rows of the GPUs * log n) per call. Source: nsys expert rule cuda_api_sync.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"

namespace tv {

struct ApiWait {
  SliceId call{};
  SliceId waited_for = kNone<SliceId>;  ///< none: nothing ended meanwhile
  Ns after = 0;                         ///< from the end of that to the call's return
};

/// Calls of one name on one thread.
struct ApiWaitSum {
  LabelId label{};
  LaneId thread{};                        ///< thread_group()
  std::uint64_t count = 0, for_work = 0;  ///< for_work: of them those that waited for something
  Ns total = 0, max = 0;
  SliceId longest{};
};

struct ApiWaits {
  std::vector<ApiWait> waits;    ///< longest first, then in time
  std::vector<ApiWaitSum> sums;  ///< by total, longest first; then by name and thread
  bool on_lanes = true;          ///< of a scope: its lanes are such threads; else its time counts on all of them
};

ApiWaits api_waits(const GpuActivity& activity);

}  // namespace tv

// Communication kernels by name and GPU, and how much of each was hidden by computing on the same GPU. Copies hide nothing.
// For a part of a trace (GpuActivity::scope), total and overlapped are clipped to that part; min, max and longest refer to whole
// kernels. Invariant: times are sums over kernels, so the time of two kernels at once counts twice; in GpuTime it counts once.
// Cost: one sweep per GPU. Source: nsys recipes nccl_sum and nccl_gpu_overlap_trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"

namespace tv {

struct CollectiveSum {
  LabelId label{};
  std::uint32_t gpu = 0;
  std::uint64_t count = 0;
  Ns total = 0, overlapped = 0, min = 0, max = 0;
  SliceId longest{};  ///< the first kernel that lasts max

  Ns exposed() const { return total - overlapped; }
};

/// The kernels of a GPU that one rule matched.
struct CommunicationMatch {
  std::uint32_t gpu = 0;
  CommunicationRules::Fit rule;
  bool counts = true;  ///< as communication; false for fused kernels, which count as computing in spite of their names
  std::uint64_t count = 0;
  Ns total = 0;  ///< sum over kernels
};
/// Sorted by GPU; matches that count as communication come first, then by time, longest first. Cost: reads each slice of the GPUs
/// once.
std::vector<CommunicationMatch> communication_matches(const GpuActivity& activity);

/// The time that CPU threads spent in one communication library. It is not part of a device's time.
struct CpuCommunication {
  std::string library;
  std::uint64_t count = 0;
  Ns total = 0;
};
/// From ranges and operators, most time first. Cost: O(labels) if there are none, else reads each slice once.
std::vector<CpuCommunication> cpu_communication(const Trace& trace);

/// Sorted by the name's total over all GPUs, longest first; then by name and GPU.
std::vector<CollectiveSum> collectives(const GpuActivity& activity, ThreadPool& pool);

}  // namespace tv

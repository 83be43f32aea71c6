// Whether what was recorded of a GPU can be all that it did: what is said of its idle time holds only then.
//
//   launches without work   calls that put kernels or graphs on a GPU, of which no arrow leads to any. Between calls whose work is
//                           there it was lost, and the GPU was busy where it looks idle. Those before the first of these and behind
//                           the last say that the GPU's recording began late or ended early.
//   held kernels            a stream runs one kernel after the other: one that holds others of its stream is longer than it ran. What
//                           a graph launched may run side by side.
//   begins late, ends early of the ranks that run beside each other: shorter than the others by more than a tenth of their length
//
// Invariant: launches that are recorded into a graph (between BeginCapture and EndCapture) launch nothing and do not count; nor
// is anything said of a process of which no launch leads anywhere. Cost: O(calls that launch * log arrows + slices of streams).
// Source: CUDA programming guide, "Streams"; torch kineto, where buffers that were lost leave such traces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/gpu/gpu_activity.h"

namespace tv {

struct GpuCapture {
  LaneId group{};  ///< Gpu::group
  std::string gpu;
  std::uint64_t launches = 0;  ///< of its process, which may have several GPUs
  std::uint64_t lost = 0, before_first = 0, after_last = 0;  ///< of them those without work
  std::uint64_t held = 0;              ///< kernels within another one of their stream
  SliceId holder = kNone<SliceId>;     ///< the one that holds most
  Ns begins_late = 0, ends_early = 0;  ///< against the other ranks; 0: about as they do

  std::uint64_t without_work() const { return lost + before_first + after_last; }
  bool loses_launches() const;  ///< more than a few
  bool holds_kernels() const;
  bool is_whole() const { return !loses_launches() && !holds_kernels() && begins_late == 0 && ends_early == 0; }
};

/// As GpuActivity::gpus, of all of a trace.
std::vector<GpuCapture> check_captures(const GpuActivity& activity, ThreadPool& pool);

/// What is wrong, in sentences, the same of several GPUs once; empty: nothing is.
std::vector<std::string> capture_sentences(const GpuActivity& activity, const std::vector<GpuCapture>& captures);

}  // namespace tv

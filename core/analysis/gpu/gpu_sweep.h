// The work of one GPU in the order of time, over all its streams: every begin and end of a kernel, copy or memset, and
// what was running before it. All questions about a GPU's time (busy, overlap, gaps) are visitors of this sweep.
//
//   stream 7    [ gemm     ]        [ gemm ]
//   stream 22         [ allreduce ]
//   events      b     b    e      e b      e      each with the time since the previous one, and the work during it
//
// Invariant: the `since` of consecutive events are adjacent; at equal times, ends come before begins. Slices of zero length do
// not count as running. Neither do slices that never ended, because their length is unknown.
// Cost: O(n log rows), memory O(rows): rows are sorted already, so they are merged.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "core/analysis/scope/device_work.h"
#include "core/store/trace/trace.h"

namespace tv {

/// How many slices of each kind of work run.
struct RunningWork {
  std::array<std::uint32_t, kDeviceWorks> count{};  ///< by DeviceWork

  bool runs(DeviceWork work) const { return count[static_cast<std::size_t>(work)] > 0; }
  /// Whether something runs that computes, or that may compute, such as a graph.
  bool hides_communication() const { return runs(DeviceWork::Compute) || runs(DeviceWork::Graph); }
  bool idle() const { return std::ranges::all_of(count, [](std::uint32_t n) { return n == 0; }); }
};

struct GpuEvent {
  TimeRange since;      ///< from the previous event to this one; empty for the first
  RunningWork running;  ///< during `since`
  SliceId slice{};
  DeviceWork work = DeviceWork::None;
  bool begins = false;  ///< else it ends
  std::size_t row = 0;  ///< index into the given rows; a row runs one slice at a time
};

/// `work`: by label. `rows`: indices into Trace::rows. With `within`, visits only work that touches this range, and in each row
/// the last slice before and the first after the range, so that every `since` in the range is right. Events are not clipped.
void sweep_gpu(const Trace& trace, std::span<const DeviceWork> work, std::span<const std::uint32_t> rows,
               const std::function<void(const GpuEvent&)>& visit, const std::optional<TimeRange>& within = {});

}  // namespace tv

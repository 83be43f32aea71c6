// What the labels of traces of programs on accelerators stand for, by the rules of work_rules.h: work on a device,
// calls of the API and which of them wait for the device, ranges that the program marked. Cost: O(labels); where slices
// have no category, as Ascend's, a look at each slice of the devices' lanes. Source: work_rules.cpp; CUDA Runtime API,
// "API synchronization behavior".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/query/range_stats.h"
#include "core/store/draft/work_rules.h"
#include "core/store/trace/trace.h"

namespace tv {

/// A call of a runtime or driver: CUDA, HIP, XPU, MTIA ...
bool is_api_call(std::string_view category);
/// One that returns only when the GPU is so far: ...Synchronize, copies that are not Async, freeing memory.
bool is_synchronising(std::string_view category, std::string_view name);

/// What summaries can be about.
enum class WorkKind : std::uint8_t {
  kernels,  ///< includes communication, and graphs whose kernels were not recorded
  api,
  memory,
  nvtx,       ///< ranges that the program marked, on CPU threads
  projected,  ///< the same as the time of what they launched on the GPU
  sync,       ///< the part of the API that waits for the GPU
  kCount
};
inline constexpr std::size_t kWorkKinds = static_cast<std::size_t>(WorkKind::kCount);
std::string_view name(WorkKind kind);     ///< for command lines: "kernels"
std::string_view meaning(WorkKind kind);  ///< for people: "CUDA API calls"
bool is_of(WorkKind kind, std::string_view category, std::string_view name, bool on_device = false);

/// By label: which have no category and lie on lanes of devices, where the name tells what they are.
std::vector<bool> device_tasks(const Trace& trace);
/// By label.
std::vector<DeviceWork> device_work(const Trace& trace, const CommunicationRules& rules);

/// Tells which slices of a row take time on a device. All summaries of devices use this rule.
class RowWork {
 public:
  /// `work`: by label.
  RowWork(std::span<const DeviceWork> work, const Trace& trace, const RowSlices& row)
      : work_(work), slices_(trace, row.size() > 0 ? row.id(0) : SliceId{}) {}

  DeviceWork of(const RowSlices& row, std::size_t i) const { return work_[idx(row.label(i))]; }
  /// Whether it is work with a known length. A slice that never ended has none: it is drawn to the end of its file.
  bool lasts(const RowSlices& row, std::size_t i) const {
    return of(row, i) != DeviceWork::None && row.duration(i) > 0 && !never_ended(row, i);
  }
  bool never_ended(const RowSlices& row, std::size_t i) const { return slices_.ref_of(row.id(i)).is(kUnfinished); }

 private:
  std::span<const DeviceWork> work_;
  SegmentSlices slices_;
};
std::vector<bool> labels_of(const Trace& trace, WorkKind kind);
/// Counts all of a kind. Where only the lane tells what a name is, lanes of devices alone count: operators repeat names of kernels.
StatsQuery query_of(const Trace& trace, WorkKind kind);

}  // namespace tv

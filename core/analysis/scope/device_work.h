// Classifies the labels of accelerator traces by the rules of work_rules.h: work on a device, API calls and which of them wait for
// the device, ranges that the program marked. Cost: O(labels); if slices have no category, as Ascend's, also one read of each slice
// of the devices' lanes. Source: work_rules.cpp; CUDA Runtime API, "API synchronization behavior".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/query/range_stats.h"
#include "core/store/rules/work_rules.h"
#include "core/store/trace/trace.h"

namespace tv {

/// A call of a runtime or driver: CUDA, HIP, XPU, MTIA ...
bool is_api_call(std::string_view category);
/// A call that returns only once the GPU is done: ...Synchronize, copies that are not Async, freeing memory.
bool is_synchronising(std::string_view category, std::string_view name);

/// The subjects of summaries.
enum class WorkKind : std::uint8_t {
  kernels,  ///< includes communication, and graphs whose kernels were not recorded
  api,
  memory,
  nvtx,       ///< ranges that the program marked, on CPU threads
  projected,  ///< the same ranges, as the time of the work they launched on the GPU
  sync,       ///< the part of the API that waits for the GPU
  kCount
};
inline constexpr std::size_t kWorkKinds = static_cast<std::size_t>(WorkKind::kCount);
std::string_view name(WorkKind kind);     ///< for command lines: "kernels"
std::string_view meaning(WorkKind kind);  ///< for people: "CUDA API calls"
bool is_of(WorkKind kind, std::string_view category, std::string_view name, bool on_device = false);

/// By label: whether it has no category and lies on lanes of devices, where the name tells what it is.
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
/// Counts all slices of a kind. If only the lane tells what a name is, only lanes of devices count, because operators repeat names
/// of kernels.
StatsQuery query_of(const Trace& trace, WorkKind kind);

}  // namespace tv

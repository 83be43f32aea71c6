// Classifies the labels of accelerator traces by the rules of work_rules.h: work on a device, API calls and which of them wait
// for the device, ranges that the program marked. Cost: O(labels); if some labels have no known category, as in Ascend's
// traces, each slice on the devices' lanes is read once. Source: work_rules.cpp; CUDA Runtime API, "API synchronization behavior".
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

/// What a summary covers.
enum class WorkKind : std::uint8_t {
  kernels,  ///< includes communication, and graphs whose kernels were not recorded
  api,
  memory,
  nvtx,       ///< ranges that the program marked, on CPU threads
  projected,  ///< the same ranges, over the time of the GPU work that they launched
  sync,       ///< the part of the API that waits for the GPU
  kCount
};
inline constexpr std::size_t kWorkKinds = static_cast<std::size_t>(WorkKind::kCount);
std::string_view name(WorkKind kind);     ///< for command lines: "kernels"
std::string_view meaning(WorkKind kind);  ///< for users: "CUDA API calls"
/// `on_device`: the label occurs on a device's lane; it matters only if the category is not known.
bool is_of(WorkKind kind, std::string_view category, std::string_view name, bool on_device = false);

/// By label: whether it has no known category and occurs on a device's lane, so that only its name shows the kind of work.
std::vector<bool> device_tasks(const Trace& trace);
/// By label.
std::vector<DeviceWork> device_work(const Trace& trace, const CommunicationRules& rules);

/// The rule for which slices of a row take time on a device. All summaries of devices use it.
class RowWork {
 public:
  /// `work`: by label.
  RowWork(std::span<const DeviceWork> work, const Trace& trace, const RowSlices& row)
      : work_(work), slices_(trace, row.size() > 0 ? row.id(0) : SliceId{}) {}

  DeviceWork of(const RowSlices& row, std::size_t i) const { return work_[idx(row.label(i))]; }
  /// Whether the slice is work of a known length. A slice that never ended is only drawn to the end of its file.
  bool lasts(const RowSlices& row, std::size_t i) const {
    return of(row, i) != DeviceWork::None && row.duration(i) > 0 && !never_ended(row, i);
  }
  bool never_ended(const RowSlices& row, std::size_t i) const { return slices_.ref_of(row.id(i)).is(kUnfinished); }

 private:
  std::span<const DeviceWork> work_;
  SegmentSlices slices_;
};
/// By label: whether its slices are of this kind.
std::vector<bool> labels_of(const Trace& trace, WorkKind kind);
/// The query for all slices of a kind. If a kernel or copy is recognised only by its lane, only lanes of devices count, because
/// operators and kernels share names.
StatsQuery query_of(const Trace& trace, WorkKind kind);

}  // namespace tv

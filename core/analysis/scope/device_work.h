// What the labels of traces of programs on accelerators stand for, by the rules of work_rules.h: work on a device,
// calls of the API and which of them wait for the device, ranges that the program marked. Cost: O(labels); where slices
// have no category, as Ascend's, a look at each slice of the devices' lanes. Source: work_rules.cpp; CUDA Runtime API,
// "API synchronization behavior".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/store/draft/work_rules.h"
#include "core/store/trace/trace.h"

namespace tv {

/// A call of a runtime or driver: CUDA, HIP, XPU, MTIA ...
bool is_api_call(std::string_view category);
/// One that returns only when the GPU is so far: ...Synchronize, copies that are not Async, freeing memory.
bool is_synchronising(std::string_view category, std::string_view name);

/// What summaries are made of.
enum class WorkKind : std::uint8_t {
  kernels,  ///< communication too
  api,
  memory,
  nvtx,       ///< ranges that the program marked, on CPU threads
  projected,  ///< the same as the time of what they launched on the GPU
  sync,       ///< of the API what waits for the GPU
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
std::vector<bool> labels_of(const Trace& trace, WorkKind kind);

}  // namespace tv

// What the labels of traces of GPU programs stand for, told by category, as kineto and the readers of nsys exports give
// it, and by name: work on a GPU, calls of the API and which of them wait for the GPU, ranges that the program marked.
// Cost: a few comparisons per label; nobody asks per slice. Source: formats.md 2.3 (categories, also those of 2021),
// CUDA Runtime API, "API synchronization behavior".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/store/label_table.h"

namespace tv {

enum class DeviceWork : std::uint8_t {
  None,           ///< not on a GPU
  Compute,        ///< a kernel
  Communication,  ///< a kernel of NCCL or RCCL: "nccl" is in its name
  Memory,         ///< a copy or a memset
};
DeviceWork device_work(std::string_view category, std::string_view name);

/// A call of the CUDA or HIP runtime or driver.
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
bool is_of(WorkKind kind, std::string_view category, std::string_view name);

/// By label.
std::vector<DeviceWork> device_work(const LabelTable& labels);
std::vector<bool> labels_of(const LabelTable& labels, WorkKind kind);

}  // namespace tv

#include "core/analysis/device_work.h"

#include <algorithm>
#include <array>

namespace tv {
namespace {

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

constexpr std::array<std::string_view, 2> kKernels = {"kernel", "Kernel"};
constexpr std::array<std::string_view, 4> kMemoryWork = {"gpu_memcpy", "gpu_memset", "Memcpy", "Memset"};
constexpr std::array<std::string_view, 5> kApi = {"cuda_runtime", "cuda_driver", "hip_runtime", "hip_driver",
                                                  "Runtime"};
constexpr std::array<std::string_view, 2> kMarked = {"nvtx", "user_annotation"};

struct KindOfWork {
  std::string_view name, meaning;
};
constexpr std::array<KindOfWork, kWorkKinds> kKinds = {{{"kernels", "kernels"},
                                                        {"api", "CUDA API calls"},
                                                        {"memory", "copies and memsets"},
                                                        {"nvtx", "ranges on CPU threads (NVTX, annotations)"},
                                                        {"projected", "ranges projected onto the GPU"},
                                                        {"sync", "API calls that wait for the GPU"}}};

}  // namespace

DeviceWork device_work(std::string_view category, std::string_view name) {
  if (is_one_of(kMemoryWork, category)) return DeviceWork::Memory;
  if (!is_one_of(kKernels, category)) return DeviceWork::None;
  return holds(name, "nccl") ? DeviceWork::Communication : DeviceWork::Compute;
}

bool is_api_call(std::string_view category) { return is_one_of(kApi, category); }

bool is_synchronising(std::string_view category, std::string_view name) {
  if (!is_api_call(category)) return false;
  if (holds(name, "Synchronize")) return true;
  if (holds(name, "Async")) return false;
  constexpr std::array<std::string_view, 6> kBlocking = {"cudaMemcpy", "cuMemcpy",  "hipMemcpy",
                                                         "cudaFree",   "cuMemFree", "hipFree"};
  return std::ranges::any_of(kBlocking, [name](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string_view name(WorkKind kind) { return kKinds[static_cast<std::size_t>(kind)].name; }
std::string_view meaning(WorkKind kind) { return kKinds[static_cast<std::size_t>(kind)].meaning; }

bool is_of(WorkKind kind, std::string_view category, std::string_view name) {
  switch (kind) {
    case WorkKind::kernels:
      return is_one_of(kKernels, category);
    case WorkKind::api:
      return is_api_call(category);
    case WorkKind::memory:
      return is_one_of(kMemoryWork, category);
    case WorkKind::nvtx:
      return is_one_of(kMarked, category);
    case WorkKind::projected:
      return category == "gpu_user_annotation";
    case WorkKind::sync:
      return is_synchronising(category, name);
    case WorkKind::kCount:
      break;
  }
  return false;
}

std::vector<DeviceWork> device_work(const LabelTable& labels) {
  std::vector<DeviceWork> work;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const auto label = id_at<LabelId>(l);
    work.push_back(device_work(labels.category(label), labels.name(label)));
  }
  return work;
}

std::vector<bool> labels_of(const LabelTable& labels, WorkKind kind) {
  std::vector<bool> of;
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const auto label = id_at<LabelId>(l);
    of.push_back(is_of(kind, labels.category(label), labels.name(label)));
  }
  return of;
}

}  // namespace tv

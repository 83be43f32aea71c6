#include "core/analysis/scope/device_work.h"

#include <algorithm>
#include <array>

namespace tv {
namespace {

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The jobs of a pipeline log lie on their device's lane, but they are not work that a profiler recorded there.
std::vector<bool> sources_of_pipelines(const Trace& trace) {
  std::vector<bool> logs(trace.sources.size(), false);
  for (const PipelineDevice& device : trace.pipeline.devices) logs[device.source] = true;
  return logs;
}

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

bool is_api_call(std::string_view category) { return category_kind(category) == CategoryKind::Api; }

bool is_synchronising(std::string_view category, std::string_view name) {
  if (!is_api_call(category)) return false;
  if (holds(name, "Synchronize") || name.starts_with("synchronize")) return true;  // MTIA uses lower case
  if (holds(name, "Async")) return false;
  constexpr std::array<std::string_view, 6> kBlocking = {"cudaMemcpy", "cuMemcpy",  "hipMemcpy",
                                                         "cudaFree",   "cuMemFree", "hipFree"};
  return std::ranges::any_of(kBlocking, [name](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string_view name(WorkKind kind) { return kKinds[static_cast<std::size_t>(kind)].name; }
std::string_view meaning(WorkKind kind) { return kKinds[static_cast<std::size_t>(kind)].meaning; }

bool is_of(WorkKind kind, std::string_view category, std::string_view name, bool on_device) {
  switch (kind) {
    case WorkKind::kernels: {
      const DeviceWork work = device_work(category, name, {}, on_device);
      return work == DeviceWork::Compute || work == DeviceWork::Communication || work == DeviceWork::Graph;
    }
    case WorkKind::api:
      return is_api_call(category);
    case WorkKind::memory:
      return device_work(category, name, {}, on_device) == DeviceWork::Memory;
    case WorkKind::nvtx:
      return category_kind(category) == CategoryKind::Ranges;
    case WorkKind::projected:
      return category_kind(category) == CategoryKind::Projected;
    case WorkKind::sync:
      return is_synchronising(category, name);
    case WorkKind::kCount:
      break;
  }
  return false;
}

std::vector<bool> device_tasks(const Trace& trace) {
  std::vector<bool> tasks(trace.labels.size());
  std::vector<bool> unknown;
  for (std::size_t l = 0; l < tasks.size(); ++l) {
    unknown.push_back(category_kind(trace.labels.category(id_at<LabelId>(l))) == CategoryKind::Other);
  }
  if (std::ranges::find(unknown, true) == unknown.end()) return tasks;
  const std::vector<bool> of_logs = sources_of_pipelines(trace);
  for (const Lane& lane : trace.lanes) {
    if (lane.kind != LaneKind::Stream) continue;
    for (const Row& row : trace.rows_of(lane)) {
      if (row.kind != RowKind::Slices) continue;
      const RowSlices slices = trace.slices_of(row);
      if (slices.size() > 0 && of_logs[idx(trace.ref_of(slices.id(0)).source())]) break;
      for (std::size_t i = 0; i < slices.size(); ++i) {
        const LabelId label = slices.label(i);
        if (unknown[idx(label)]) tasks[idx(label)] = true;
      }
    }
  }
  return tasks;
}

std::vector<DeviceWork> device_work(const Trace& trace, const CommunicationRules& rules) {
  const std::vector<bool> tasks = device_tasks(trace);
  std::vector<DeviceWork> work;
  for (std::size_t l = 0; l < trace.labels.size(); ++l) {
    const auto label = id_at<LabelId>(l);
    work.push_back(device_work(trace.labels.category(label), trace.labels.name(label), rules, tasks[l]));
  }
  return work;
}

std::vector<bool> labels_of(const Trace& trace, WorkKind kind) {
  const std::vector<bool> tasks = device_tasks(trace);
  std::vector<bool> matches;
  for (std::size_t l = 0; l < trace.labels.size(); ++l) {
    const auto label = id_at<LabelId>(l);
    matches.push_back(is_of(kind, trace.labels.category(label), trace.labels.name(label), tasks[l]));
  }
  return matches;
}

StatsQuery query_of(const Trace& trace, WorkKind kind) {
  StatsQuery query;
  query.labels = labels_of(trace, kind);
  if (kind != WorkKind::kernels && kind != WorkKind::memory) return query;
  const std::vector<bool> tasks = device_tasks(trace);
  bool any = false;
  for (std::size_t l = 0; l < tasks.size() && !any; ++l) any = tasks[l] && query.labels[l];
  for (std::size_t l = 0; any && l < trace.lanes.size(); ++l) {
    if (trace.lanes[l].kind == LaneKind::Stream) query.lanes.push_back(id_at<LaneId>(l));
  }
  return query;
}

}  // namespace tv

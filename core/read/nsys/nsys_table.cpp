#include "core/read/nsys/nsys_table.h"

#include <algorithm>

#include "core/base/text/ascii.h"
#include "core/store/draft/item_ref.h"
#include "core/store/draft/lane_owner.h"

namespace tv {
namespace {

constexpr int kRowBits = 33;
constexpr std::size_t kLastTable = 126;

struct KnownTable {
  std::string_view name;
  NsysRows rows;
  std::string_view lane, category;
};

constexpr KnownTable kKnownTables[] = {
    {"CUPTI_ACTIVITY_KIND_KERNEL", NsysRows::Kernel, "kernels", "kernel"},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", NsysRows::Memcpy, "memory", "gpu_memcpy"},
    {"CUPTI_ACTIVITY_KIND_MEMSET", NsysRows::Memset, "memory", "gpu_memset"},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", NsysRows::Graph, "graphs", "cuda_graph"},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", NsysRows::Sync, "synchronisation", "cuda_sync"},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", NsysRows::Api, kCallsLane, "cuda_runtime"},
    {"CUPTI_ACTIVITY_KIND_DRIVER", NsysRows::Api, kCallsLane, "cuda_driver"},
    {"CUPTI_ACTIVITY_KIND_OVERHEAD", NsysRows::Call, "overhead", "overhead"},
    {"PROFILER_OVERHEAD", NsysRows::Call, "overhead", "overhead"},
    {"OSRT_API", NsysRows::Call, "OS runtime", "osrt"},
    {"CUDNN_EVENTS", NsysRows::Call, "cuDNN", "cudnn"},
    {"CUBLAS_EVENTS", NsysRows::Call, "cuBLAS", "cublas"},
    {"NVTX_EVENTS", NsysRows::Nvtx, "NVTX", "nvtx"},
    {"SCHED_EVENTS", NsysRows::Scheduling, "scheduling", "sched"},
    {"CUDA_GPU_MEMORY_USAGE_EVENTS", NsysRows::MemoryUse, "memory in use", "memory"},
    // Rows of CPU threads that make graphs. Their category must differ from that of graphs on a GPU.
    {"CUDA_GRAPH_EVENTS", NsysRows::Call, "CUDA graphs", "cuda_graph_event"},
    {"CUDA_GRAPH_NODE_EVENTS", NsysRows::Call, "CUDA graphs", "cuda_graph_event"},
    {"COMPOSITE_EVENTS", NsysRows::Event, "CPU samples", "cpu_sample"},
    {"DIAGNOSTIC_EVENT", NsysRows::Event, "diagnostics", "diagnostic"},
};

struct KnownFamily {
  std::string_view prefix, lane, category;
};
constexpr KnownFamily kFamilies[] = {{"MPI_", "MPI", "mpi"},
                                     {"UCP_", "UCX", "ucx"},
                                     {"UCT_", "UCX", "ucx"},
                                     {"OPENMP_EVENT_KIND_", "OpenMP", "openmp"},
                                     {"CUPTI_ACTIVITY_KIND_OPENACC_", "OpenACC", "openacc"}};

// Whether the table describes events of other tables, processes or the machine.
bool describes(std::string_view name) {
  constexpr std::string_view kPrefixes[] = {"TARGET_INFO_", "META_DATA_", "ENUM_", "NVTX_PAYLOAD_"};
  constexpr std::string_view kNames[] = {"StringIds",  "EXPORT_META_DATA",  "ANALYSIS_DETAILS", "ANALYSIS_FILE",
                                         "PROCESSES",  "ThreadNames",       "ProcessStreams",   "MPI_RANKS",
                                         "MPI_COMMUNICATORS", "UCP_WORKERS", "UnwindMethodType", "NIC_ID_MAP", "CUDA_GRAPH_EXEC_EVENTS"};
  return name.ends_with("CALLCHAINS") || std::ranges::find(kNames, name) != std::end(kNames) ||
         std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string_view begin_column(const SqliteTable& table) {
  for (const std::string_view column : {"start", "timestamp", "rawTimestamp"}) {
    if (table.has(column)) return column;
  }
  return {};
}

std::string words_of(std::string_view name) {
  std::string out = lower_case(name);
  std::ranges::replace(out, '_', ' ');
  return out;
}

std::vector<std::string_view> columns_of(NsysRows rows) {
  switch (rows) {
    case NsysRows::Kernel: return {"deviceId", "contextId", "streamId", "correlationId", "globalPid", "demangledName", "shortName"};
    case NsysRows::Memcpy: return {"deviceId", "contextId", "streamId", "correlationId", "globalPid", "copyKind", "srcKind", "dstKind"};
    case NsysRows::Memset: return {"deviceId", "contextId", "streamId", "correlationId", "globalPid", "memKind"};
    case NsysRows::Graph: return {"deviceId", "contextId", "streamId", "correlationId", "globalPid", "graphId"};
    case NsysRows::Sync: return {"deviceId", "contextId", "streamId", "correlationId", "globalPid", "syncType"};
    case NsysRows::Api:
    case NsysRows::Call: return {"globalTid", "correlationId", "nameId", "textId", "eventClass"};
    case NsysRows::Nvtx:
      return {"globalTid", "eventType", "text", "textId", "domainId", "endGlobalTid", "binaryData"};
    case NsysRows::Scheduling: return {"globalTid", "isSchedIn"};
    case NsysRows::MemoryUse: return {"globalPid", "deviceId", "bytes", "memKind", "memoryOperationType"};
    case NsysRows::Metric: return {"typeId", "metricId", "metricsListId", "metricsIdx", "nicId", "value"};
    case NsysRows::Event: return {"globalTid", "globalPid", "nameId", "textId", "text", "name"};
  }
  return {};
}

}  // namespace

bool is_nsys_export(const std::vector<SqliteTable>& tables) {
  return std::ranges::any_of(tables, [](const SqliteTable& table) {
    const bool known = std::ranges::find(kKnownTables, table.name, &KnownTable::name) != std::end(kKnownTables);
    return known || table.name == "StringIds" || table.name == "META_DATA_EXPORT" || table.name == "EXPORT_META_DATA";
  });
}

bool is_event_table(const SqliteTable& table) { return !describes(table.name) && !begin_column(table).empty(); }

bool is_unplaced_table(const SqliteTable& table) { return !describes(table.name) && begin_column(table).empty(); }

NsysTable classify(const SqliteTable& table) {
  NsysTable out{table, NsysRows::Event, words_of(table.name), words_of(table.name), {}};
  if (table.has("value")) out.rows = NsysRows::Metric;
  for (const KnownFamily& family : kFamilies) {
    if (!table.name.starts_with(family.prefix)) continue;
    out.rows = NsysRows::Call;
    out.lane = family.lane;
    out.category = family.category;
  }
  for (const KnownTable& known : kKnownTables) {
    if (table.name != known.name) continue;
    out.rows = known.rows;
    out.lane = known.lane;
    out.category = known.category;
  }
  out.columns = {"rowid", begin_column(table), "end"};
  for (const std::string_view column : columns_of(out.rows)) out.columns.push_back(column);
  return out;
}

std::uint64_t nsys_offset(std::size_t table, std::int64_t row) {
  const bool fits = table <= kLastTable && row >= 0 && row < std::int64_t{1} << kRowBits;
  return fits ? std::uint64_t{table} << kRowBits | static_cast<std::uint64_t>(row) : ItemRef::kMaxOffset;
}

NsysPlace nsys_place(std::uint64_t offset) {
  return {static_cast<std::size_t>(offset >> kRowBits), static_cast<std::int64_t>(offset & ((std::uint64_t{1} << kRowBits) - 1))};
}

}  // namespace tv

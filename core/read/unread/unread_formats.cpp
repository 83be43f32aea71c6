// Profiles, dumps and results. Logs and tables are in the other files of this folder.
// Source: Nsight Systems; rocprofv3 (ROCm documentation, "Using rocprofv3"); speedscope's file-format-schema.json;
// Chrome DevTools Protocol, Profiler.Profile; Chakra execution traces (torch.profiler.ExecutionTraceObserver);
// xplane.proto of XProf; torch.cuda.memory._dump_snapshot; torch/csrc/distributed/c10d/FlightRecorder.hpp;
// OpenTelemetry's trace.proto; event.proto of TensorBoard; Git LFS' pointer file.
#include "core/read/unread/unread_formats.h"

#include <algorithm>
#include <vector>

namespace tv {
namespace {

bool holds(const Probe& probe, std::string_view words) { return probe.head.find(words) != std::string_view::npos; }
template <class... Words>
bool holds_all(const Probe& probe, Words... words) {
  return (holds(probe, words) && ...);
}
bool is_json(const Probe& probe) {
  const std::size_t first = probe.head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (probe.head[first] == '{' || probe.head[first] == '[');
}
bool is_trace(const Probe& probe) { return holds(probe, "\"traceEvents\"") || holds(probe, "\"ph\""); }

int probe_nsys_stream(const Probe& probe) { return probe.path.ends_with(".qdstrm") ? kByName : 0; }

int probe_rocprof(const Probe& probe) { return holds(probe, "\"rocprofiler-sdk-tool\"") ? kOfItsFormat : 0; }
int probe_speedscope(const Probe& probe) {
  return holds(probe, "speedscope.app/file-format-schema.json") ? kOfItsFormat : 0;
}
int probe_cpu_profile(const Probe& probe) {
  return !is_trace(probe) && holds_all(probe, "\"callFrame\"", "\"nodes\"") ? kOfItsFormat : 0;
}

// Execution traces of PyTorch, in all schemas ("1.0.1" calls itself a graph), and of Chakra, whose binary format derives from them.
int probe_execution_trace(const Probe& probe) {
  const bool named =
      holds(probe, "[pytorch|profiler|execution_trace|") || holds(probe, "[pytorch|profiler|execution_graph|");
  if (holds(probe, "\"nodes\"") && named) return kOfItsFormat;
  const bool schema = is_json(probe) && !is_trace(probe) && holds_all(probe, "\"schema\"", "\"nodes\"", "\"pid\"");
  if (schema && (holds(probe, "\"inputs\"") || holds(probe, "\"ctrl_deps\"") || holds(probe, "\"parent\"")))
    return kOfItsFormat;
  // A metadata message: its length, then an attribute called "schema".
  const bool chakra = probe.head.size() > 12 && probe.head.substr(0, 12).find("\n\x06schema") != std::string_view::npos;
  return chakra ? kOfItsFormat : 0;
}

// Reads a protobuf varint at `at` and moves `at` past it.
std::uint64_t varint(std::string_view bytes, std::size_t& at) {
  constexpr int kBits = 7, kMost = 63;
  std::uint64_t value = 0;
  for (int shift = 0; at < bytes.size() && shift <= kMost; shift += kBits) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

// An XSpace begins with its planes, and a plane with its id and its name: "/host:CPU", "/device:GPU:0", "Task Environment".
// A Perfetto packet has the same field number as a plane, but begins with other fields.
int probe_xplane(const Probe& probe) {
  constexpr char kPlane = 0x0a, kId = 0x08, kName = 0x12;
  std::size_t at = 0;
  while (at < probe.head.size() && probe.head[at] == kPlane) {
    const std::uint64_t length = varint(probe.head, ++at);
    const std::size_t end = at + static_cast<std::size_t>(std::min<std::uint64_t>(length, probe.head.size() - at));
    if (at < end && probe.head[at] == kId) varint(probe.head, ++at);
    if (at < end && probe.head[at] == kName) {
      const std::uint64_t letters = varint(probe.head, ++at);
      const std::string_view name =
          probe.head.substr(at, static_cast<std::size_t>(std::min<std::uint64_t>(letters, end - at)));
      const bool plain = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
      const bool known = name.starts_with("/host:") || name.starts_with("/device:") || name.starts_with("/custom") ||
                         name == "Task Environment" || name.starts_with("#Chip");
      if (name.size() == letters && plain && (known || probe.path.ends_with(".xplane.pb"))) return kOfItsFormat;
    }
    if (length == 0 || end == probe.head.size()) break;
    at = end;
  }
  return probe.path.ends_with(".xplane.pb") ? kByWords : 0;
}

bool is_pickle(std::string_view head) { return head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5; }
int probe_flight_recorder(const Probe& probe) {
  const bool of_kind = is_pickle(probe.head) || (is_json(probe) && !is_trace(probe));
  const bool words = holds(probe, "pg_config") && (holds(probe, "nccl_version") || holds(probe, "entries") ||
                                                   holds(probe, "collective_seq_id") || holds(probe, "default_pg"));
  return of_kind && words ? kOfItsFormat : 0;
}
// What torch.save() writes is a zip file. It was opened as an archive, so it does not get here.
int probe_memory_snapshot(const Probe& probe) {
  const bool words = holds(probe, "device_traces") || holds_all(probe, "segments", "segment_type");
  return is_pickle(probe.head) ? (words ? kOfItsFormat : kByName) : 0;
}

int probe_tensorboard(const Probe& probe) {
  // A record begins with its length and a checksum. Its event begins with the time and the version as text.
  constexpr std::size_t kHeader = 12, kTime = 9;
  const std::string_view event = probe.head.substr(std::min(kHeader, probe.head.size()));
  const bool time = event.size() > kTime && event.front() == '\t';
  return time && event.substr(kTime, 16).find("brain.Event:") != std::string_view::npos ? kOfItsFormat : 0;
}
int probe_wandb(const Probe& probe) { return probe.head.starts_with(":W&B") ? kOfItsFormat : 0; }

int probe_otel(const Probe& probe) {
  if (!is_json(probe) || is_trace(probe)) return 0;
  const bool otlp = holds(probe, "\"resourceSpans\""),
             jaeger = holds_all(probe, "\"traceID\"", "\"spans\"", "\"operationName\"");
  return otlp || jaeger ? kOfItsFormat : 0;
}
int probe_benchmark(const Probe& probe) {
  if (!is_json(probe) || is_trace(probe)) return 0;
  const bool vllm = holds(probe, "\"request_throughput\"") || holds_all(probe, "\"endpoint_type\"", "\"num_prompts\"");
  const bool genai = holds(probe, "\"aggregated_metrics\"") || holds_all(probe, "\"cmd\"", "genai-bench");
  const bool aiperf = holds(probe, "\"request_throughput\"") ||
                      holds_all(probe, "\"records\"", "\"error_request_count\"") ||
                      holds_all(probe, "\"metadata\"", "\"x_request_id\"");
  return vllm || genai || aiperf ? kOfItsFormat : 0;
}
int probe_ascend_summary(const Probe& probe) {
  if (!is_json(probe) || is_trace(probe)) return 0;
  const bool communication =
      holds(probe, "\"Communication Time Info\"") || holds(probe, "\"Communication Bandwidth Info\"");
  const bool info = holds_all(probe, "\"config\"", "\"start_info\"", "\"end_info\"");
  return communication || info ? kOfItsFormat : 0;
}
int probe_rollout_texts(const Probe& probe) {
  const bool keys = holds_all(probe, "\"input\"", "\"output\"", "\"score\"") && holds(probe, "\"step\"");
  return probe.head.starts_with("{\"input\"") && keys ? kOfItsFormat : 0;
}

int probe_lfs_pointer(const Probe& probe) {
  return probe.head.starts_with("version https://git-lfs.github.com/spec/") ? kOfItsFormat : 0;
}

constexpr Reader kProfiles[] = {
    unread("git_lfs_pointer", "a pointer of Git LFS, which stands for a file that was not downloaded",
           probe_lfs_pointer, "run git lfs pull in its repository, then open it again"),
    unread("nsys_stream", "raw Nsight Systems data without a report", probe_nsys_stream,
           "make one: QdstrmImporter -i X.qdstrm, then open X.nsys-rep"),
    unread("rocprofv3", "JSON output of rocprofv3", probe_rocprof,
           "record again with rocprofv3 --output-format pftrace"),
    unread("speedscope", "a profile of speedscope", probe_speedscope,
           "it has stacks but no lanes: open it at speedscope.app"),
    unread("cpu_profile", "a CPU profile of V8", probe_cpu_profile,
           "open it in the browser's developer tools, or record a trace instead"),
    unread("execution_trace", "an execution trace of PyTorch", probe_execution_trace,
           "it has operators but no times: open the profiler's trace (.pt.trace.json) of the same run"),
    unread("xplane", "a profile of JAX or TensorFlow (XPlane)", probe_xplane,
           "open the .trace.json.gz next to it, or convert it with xprof"),
    unread("flight_recorder", "a dump of PyTorch's flight recorder", probe_flight_recorder,
           "it lists the last collectives of a rank: torchfrtrace compares the dumps of all ranks"),
    unread("memory_snapshot", "a pickle, such as PyTorch's memory snapshots", probe_memory_snapshot,
           "open a memory snapshot at pytorch.org/memory_viz"),
    unread("tensorboard", "an event file of TensorBoard", probe_tensorboard,
           "it has metrics but no durations: open it in TensorBoard, and the console log of the run here"),
    unread("wandb", "a run of Weights & Biases", probe_wandb,
           "it has metrics but no durations: wandb sync uploads it; open the run's files/output.log here"),
    unread("opentelemetry", "traces of OpenTelemetry or Jaeger", probe_otel, "open them in Jaeger or Grafana"),
    unread("serving_benchmark", "results of a serving benchmark", probe_benchmark,
           "they have no timeline: open a trace of the server, which its /start_profile records"),
    unread("ascend_summary", "a summary of Ascend's profiler", probe_ascend_summary,
           "open the trace_view.json next to it"),
    unread("verl_rollout_texts", "prompts and answers of a verl rollout", probe_rollout_texts,
           "they have no times: open the rollout logs (step_N/worker_N.jsonl) or the console log"),
};

}  // namespace

std::span<const Reader> unread_formats() {
  static const std::vector<Reader> all = [] {
    std::vector<Reader> readers(std::begin(kProfiles), std::end(kProfiles));
    for (const std::span<const Reader> more : {unread_tables(), unread_logs()})
      readers.insert(readers.end(), more.begin(), more.end());
    return readers;
  }();
  return all;
}

}  // namespace tv

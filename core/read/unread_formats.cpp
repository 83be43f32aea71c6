// Formats that are recognised by name and content but have no reader in this version: they are listed with that reason,
// and with what to do instead, rather than being called unknown. Each moves to a file of its own when its reader comes.
// Source: formats.md 4.1; rocprofv3 (ROCm documentation, "Using rocprofv3"); speedscope's file-format-schema.json; Chrome
// DevTools Protocol, Profiler.Profile; Chakra execution traces (torch.profiler.ExecutionTraceObserver); XProf's XSpace;
// torch.cuda.memory._dump_snapshot.
#include "core/read/reader.h"

namespace tv {
namespace {

constexpr int kOfItsFormat = 100, kByName = 50;
constexpr std::string_view kTable =
    "tables of general use are not read; if nsys exported it, export the report as a database: nsys export --type sqlite";

bool holds(const Probe& probe, std::string_view words) { return probe.head.find(words) != std::string_view::npos; }

int probe_nsys_stream(const Probe& probe) { return probe.path.ends_with(".qdstrm") ? kByName : 0; }
int probe_parquet(const Probe& probe) { return probe.head.starts_with("PAR1") ? kOfItsFormat : 0; }
int probe_arrow(const Probe& probe) {
  const bool stream = probe.path.ends_with(".arrow") && probe.head.starts_with("\xff\xff\xff\xff");
  return probe.head.starts_with("ARROW1") || stream ? kOfItsFormat : 0;
}
int probe_hdf5(const Probe& probe) { return probe.head.starts_with("\x89HDF\r\n\x1a\n") ? kOfItsFormat : 0; }

int probe_rocprof(const Probe& probe) { return holds(probe, "\"rocprofiler-sdk-tool\"") ? kOfItsFormat : 0; }
int probe_speedscope(const Probe& probe) {
  return holds(probe, "speedscope.app/file-format-schema.json") ? kOfItsFormat : 0;
}
int probe_cpu_profile(const Probe& probe) {
  const bool trace = holds(probe, "\"traceEvents\"") || holds(probe, "\"ph\"");
  return !trace && holds(probe, "\"callFrame\"") && holds(probe, "\"nodes\"") ? kOfItsFormat : 0;
}
int probe_execution_trace(const Probe& probe) {
  return holds(probe, "\"nodes\"") && holds(probe, "[pytorch|profiler|execution_trace|") ? kOfItsFormat : 0;
}
int probe_xplane(const Probe& probe) { return probe.path.ends_with(".xplane.pb") ? kByName : 0; }
int probe_memory_snapshot(const Probe& probe) {
  return probe.head.starts_with('\x80') && (probe.path.ends_with(".pickle") || probe.path.ends_with(".pkl")) ? kByName : 0;
}

constexpr Reader unread(std::string_view id, std::string_view title, int (*probe)(const Probe&),
                        std::string_view remedy) {
  Reader reader{id, title, probe, nullptr, nullptr, nullptr};
  reader.remedy = remedy;
  return reader;
}

}  // namespace

extern const Reader kNsysStream = unread("nsys_stream", "what Nsight Systems records before it makes a report of it",
                                         probe_nsys_stream, "make one: QdstrmImporter -i X.qdstrm, then open X.nsys-rep");
extern const Reader kParquet = unread("parquet", "a Parquet table", probe_parquet, kTable);
extern const Reader kArrow = unread("arrow", "an Arrow table", probe_arrow, kTable);
extern const Reader kHdf5 = unread("hdf5", "an HDF5 file", probe_hdf5, kTable);
extern const Reader kRocprof =
    unread("rocprofv3", "what rocprofv3 writes as JSON", probe_rocprof, "let it write rocprofv3 --output-format pftrace");
extern const Reader kSpeedscope = unread("speedscope", "a profile of speedscope", probe_speedscope,
                                         "it has stacks and no lanes: open it at speedscope.app");
extern const Reader kCpuProfile = unread("cpu_profile", "a CPU profile of V8", probe_cpu_profile,
                                         "open it in the browser's developer tools, or record a trace instead");
extern const Reader kExecutionTrace =
    unread("execution_trace", "an execution trace of PyTorch", probe_execution_trace,
           "it has operators and no times: open the profiler's trace (.pt.trace.json) of the same run");
extern const Reader kXplane = unread("xplane", "a profile of JAX or TensorFlow (XPlane)", probe_xplane,
                                     "open the .trace.json.gz beside it, or convert it with xprof");
extern const Reader kMemorySnapshot =
    unread("memory_snapshot", "a pickle, such as PyTorch's memory snapshots", probe_memory_snapshot,
           "open it at pytorch.org/memory_viz");

}  // namespace tv

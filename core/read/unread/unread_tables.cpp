// General tables, and text tables and databases of other profilers. A database is recognised by its first pages, where SQLite
// stores the schema. Sources: rocprofiler-sdk's rocpd schema; msprof's and torch_npu's database and CSV files (CANN, "Profiling");
// rocprofv3's CSV files; Omniperf; Trackio.
#include <algorithm>

#include "core/read/unread/unread_formats.h"

namespace tv {
namespace {

constexpr std::string_view kTable =
    "general tables are not read; if nsys exported this one, export the report as a database: nsys export --type "
    "sqlite";
constexpr std::string_view kSqlite("SQLite format 3\0", 16);

int probe_parquet(const Probe& probe) { return probe.head.starts_with("PAR1") ? kOfItsFormat : 0; }
int probe_arrow(const Probe& probe) {
  const bool stream = probe.path.ends_with(".arrow") && probe.head.starts_with("\xff\xff\xff\xff");
  return probe.head.starts_with("ARROW1") || stream ? kOfItsFormat : 0;
}
int probe_hdf5(const Probe& probe) { return probe.head.starts_with("\x89HDF\r\n\x1a\n") ? kOfItsFormat : 0; }

bool has_tables(const Probe& probe, std::initializer_list<std::string_view> words) {
  return probe.head.starts_with(kSqlite) && std::ranges::all_of(words, [&](std::string_view word) {
           return probe.head.find(word) != std::string_view::npos;
         });
}
int probe_rocpd(const Probe& probe) { return has_tables(probe, {"CREATE TABLE", "rocpd_"}) ? kOfItsFormat : 0; }
int probe_ascend_database(const Probe& probe) {
  const bool has_texts = has_tables(probe, {"STRING_IDS"});
  const bool has_events = has_tables(probe, {"CANN_API"}) || has_tables(probe, {"PYTORCH_API"}) ||
                          has_tables(probe, {"COMPUTE_TASK_INFO"}) || has_tables(probe, {"COMMUNICATION_OP"}) ||
                          has_tables(probe, {"NPU_INFO"});
  return has_texts && has_events ? kOfItsFormat : 0;
}
int probe_rocprof_compute(const Probe& probe) {
  return has_tables(probe, {"compute_workload", "compute_kernel"}) ? kOfItsFormat : 0;
}
int probe_trackio(const Probe& probe) {
  return has_tables(probe, {"CREATE TABLE metrics", "run_name"}) ||
                 has_tables(probe, {"system_metrics", "project_metadata"})
             ? kOfItsFormat
             : 0;
}

// Whether the first line of a table names all of `words`.
bool names_columns(const Probe& probe, std::initializer_list<std::string_view> words) {
  const std::string_view first = probe.head.substr(0, probe.head.find('\n'));
  const bool is_json = first.starts_with('{') || first.starts_with('[');
  return !is_json && first.find(',') != std::string_view::npos &&
         std::ranges::all_of(words, [&](std::string_view word) { return first.find(word) != std::string_view::npos; });
}
int probe_rocprof_table(const Probe& probe) {
  return names_columns(probe, {"\"Start_Timestamp\"", "\"End_Timestamp\""}) ? kOfItsFormat : 0;
}
int probe_ascend_table(const Probe& probe) {
  const bool kernels = names_columns(probe, {"Task ID", "Stream ID"}) || names_columns(probe, {"Accelerator Core"}) ||
                       names_columns(probe, {"OP Type", "Core Type"});
  const bool operators =
      names_columns(probe, {"Device Self Duration(us)"}) || names_columns(probe, {"Host Self Duration(us)"});
  const bool steps = names_columns(probe, {"Computing", "Communication(Not Overlapped)", "Free"});
  const bool memory = names_columns(probe, {"Allocation Time(us)", "Release Time(us)"}) ||
                      names_columns(probe, {"Component", "Timestamp(us)", "Total Allocated(MB)"});
  return kernels || operators || steps || memory ? kOfItsFormat : 0;
}

int probe_benchmark_table(const Probe& probe) {
  return names_columns(probe, {"Metric", "avg", "p99"}) ? kOfItsFormat : 0;
}

constexpr Reader kTables[] = {
    unread("parquet", "a Parquet table", probe_parquet, kTable),
    unread("arrow", "an Arrow table", probe_arrow, kTable),
    unread("hdf5", "an HDF5 file", probe_hdf5, kTable),
    unread("rocprof_compute", "a database of ROCm Compute Profiler", probe_rocprof_compute,
           "it has counters but no times: record with rocprofv3 --output-format pftrace"),
    unread("rocpd", "a database of rocprofv3 (rocpd)", probe_rocpd,
           "convert it: rocpd convert -i X.db --output-format pftrace, then open the .pftrace"),
    unread("ascend_database", "a database of Ascend's profiler", probe_ascend_database,
           "open the trace_view.json next to it, which torch_npu writes with export_type=Text"),
    unread("trackio", "a database of Trackio", probe_trackio,
           "it has metrics but no durations: open it in Trackio, and the console log of the run here"),
    unread("rocprof_table", "a table of rocprofv3", probe_rocprof_table,
           "record again with rocprofv3 --output-format pftrace"),
    unread("benchmark_table", "results of a serving benchmark as a table", probe_benchmark_table,
           "they have no timeline: open a trace of the server, which its /start_profile records"),
    unread("ascend_table", "a table of Ascend's profiler", probe_ascend_table, "open the trace_view.json next to it"),
};

}  // namespace

std::span<const Reader> unread_tables() { return kTables; }

}  // namespace tv

#include "core/read/nsys/nsys_report_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/text/iso_time.h"
#include "core/read/nsys/nsys_names.h"
#include "core/read/nsys/nsys_table.h"

namespace tv {
namespace {

constexpr std::size_t kLongestOutput = 4096;

class InfoRead {
 public:
  InfoRead(SqliteFile& file, const std::vector<SqliteTable>& tables, ProblemLog& problems)
      : file_(file), tables_(tables), problems_(problems) {}

  NsysReportInfo run() {
    read_strings();
    for (const char* const table : {"META_DATA_EXPORT", "EXPORT_META_DATA"}) {
      each(table, {"name", "value"}, [&](SqliteRows& row) { read_export(row.text(0), row.text(1)); });
    }
    each("META_DATA_CAPTURE", {"name", "value"}, [&](SqliteRows& row) { read_capture(row.text(0), row.text(1)); });
    each("TARGET_INFO_SYSTEM_ENV", {"name", "value"}, [&](SqliteRows& row) {
      if (row.text(0) == "Hostname") out_.host = row.text(1);
    });
    read_session_start();
    read_processes();
    read_gpus();
    read_metrics();
    out_.layouts.read(file_, tables_);
    each("ProcessStreams", {"filenameId", "contentId"}, [&](SqliteRows& row) {
      const std::string_view content = out_.strings.text(row.integer_or(1, -1)).substr(0, kLongestOutput);
      if (!content.empty()) out_.output.emplace_back(out_.strings.text(row.integer_or(0, -1)), content);
    });
    return std::move(out_);
  }

 private:
  template <class F>
  void each(std::string_view name, const std::vector<std::string_view>& columns, F visit) {
    const auto table = std::ranges::find(tables_, name, &SqliteTable::name);
    if (table == tables_.end()) return;
    auto rows = file_.select(sqlite_select(*table, columns));
    if (!rows) {
      problems_.add(ProblemKind::unreadable_rows, 0, fmt::format("{}: {}", name, rows.error().message));
      return;
    }
    while (rows->next()) visit(*rows);
    if (!rows->error().empty()) problems_.add(ProblemKind::unreadable_rows, 0, fmt::format("{}: {}", name, rows->error()));
  }

  void read_strings() {
    each("StringIds", {"id", "value"}, [&](SqliteRows& row) {
      if (const auto id = row.integer(0)) out_.strings.add(*id, row.text(1));
    });
  }

  void read_export(std::string_view name, std::string_view value) {
    if (name == "EXPORT_PRODUCT_VERSION") out_.product_version = value;
    if (name == "EXPORT_SCHEMA_VERSION") out_.schema_version = value;
    if (name == "EXPORT_PARAM_TIME_NORMALIZE") out_.since_epoch = value == "true" || value == "1";
  }

  void read_capture(std::string_view name, std::string_view value) {
    if (name == "DEVICE_DISPLAY_NAME" && out_.host.empty()) out_.host = value;
    if (!name.starts_with("PROCESS_0:")) return;
    name.remove_prefix(10);
    if (name == "COMMAND") out_.command = value;
    if (name.starts_with("ARGUMENT_")) out_.command += fmt::format(" {}", value);
    if (name != "ENVIRONMENT_VARIABLE") return;
    const std::size_t equals = value.find('=');
    if (equals == std::string_view::npos) return;
    std::string_view content = value.substr(equals + 1);
    if (content.size() >= 2 && content.starts_with('"') && content.ends_with('"')) {
      content = content.substr(1, content.size() - 2);
    }
    out_.environment.insert_or_assign(std::string(value.substr(0, equals)), std::string(content));
  }

  void read_session_start() {
    each("TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, [&](SqliteRows& row) {
      const auto start = row.integer(0);
      if (!out_.session_start && start && is_time(*start)) out_.session_start = start;
    });
    each("TARGET_INFO_SESSION_START_TIME", {"utcTime", "localTime"}, [&](SqliteRows& row) {
      const auto utc = iso_time_ns(row.text(0)), local = iso_time_ns(row.text(1));
      // The difference of two other times may not fit.
      if (!utc || !local || !is_time(*utc) || !is_time(*local) || names_zone(row.text(1))) return;
      const Ns east = nearest_zone(*local - *utc);
      if (std::abs(*local - *utc - east) <= 2 * kSecond && is_zone(east)) out_.zone_east = east;
    });
    if (out_.since_epoch) out_.session_start.reset();
  }

  void read_processes() {
    each("PROCESSES", {"globalPid", "name"}, [&](SqliteRows& row) {
      if (const auto id = row.integer(0)) out_.process_names.insert_or_assign(*id, std::string(row.text(1)));
    });
    // A thread may have several names. The one with the highest priority is used.
    std::map<std::int64_t, std::int64_t> priorities;
    each("ThreadNames", {"nameId", "priority", "globalTid"}, [&](SqliteRows& row) {
      const auto thread = row.integer(2);
      if (!thread) return;
      const std::int64_t priority = row.integer_or(1, 0);
      const auto [known, is_new] = priorities.emplace(*thread, priority);
      if (!is_new && priority < known->second) return;
      known->second = priority;
      out_.thread_names.insert_or_assign(*thread, std::string(out_.strings.text(row.integer_or(0, -1))));
    });
    each("MPI_RANKS", {"globalTid", "rank"}, [&](SqliteRows& row) {
      const auto thread = row.integer(0), rank = row.integer(1);
      if (thread && rank) out_.mpi_ranks.insert_or_assign(global_pid_of(*thread), *rank);
    });
  }

  void read_gpus() {
    each("TARGET_INFO_GPU", {"id", "name", "busLocation"}, [&](SqliteRows& row) {
      if (const auto id = row.integer(0)) {
        out_.gpus.insert_or_assign(*id, NsysGpu{std::string(row.text(1)), std::string(row.text(2))});
      }
    });
    each("TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"}, [&](SqliteRows& row) {
      const auto gpu = row.integer(0), device = row.integer(1), pid = row.integer(2);
      if (gpu && device && pid) out_.gpu_of.insert_or_assign({*pid, *device}, *gpu);
    });
    each("TARGET_INFO_CUDA_CONTEXT_INFO", {"nullStreamId", "processId"}, [&](SqliteRows& row) {
      out_.null_streams.emplace(row.integer_or(1, -1), row.integer_or(0, -1));
    });
    each("TARGET_INFO_CUDA_NULL_STREAM", {"streamId", "processId"}, [&](SqliteRows& row) {
      out_.null_streams.emplace(row.integer_or(1, -1), row.integer_or(0, -1));
    });
    each("TARGET_INFO_NVTX_CUDA_STREAM", {"streamId", "processId", "name", "nameId"}, [&](SqliteRows& row) {
      std::string name(row.is_null(2) ? out_.strings.text(row.integer_or(3, -1)) : row.text(2));
      if (!name.empty()) out_.stream_names.insert_or_assign({row.integer_or(1, -1), row.integer_or(0, -1)}, std::move(name));
    });
  }

  void read_metrics() {
    each("TARGET_INFO_GPU_METRICS", {"typeId", "metricId", "metricName"}, [&](SqliteRows& row) {
      out_.metric_names.insert_or_assign({row.integer_or(0, -1), row.integer_or(1, -1)}, std::string(row.text(2)));
    });
    each("TARGET_INFO_NETWORK_METRICS", {"metricsListId", "metricsIdx", "name"}, [&](SqliteRows& row) {
      out_.metric_names.insert_or_assign({row.integer_or(0, -1), row.integer_or(1, -1)}, std::string(row.text(2)));
    });
  }

  SqliteFile& file_;
  const std::vector<SqliteTable>& tables_;
  ProblemLog& problems_;
  NsysReportInfo out_;
};

}  // namespace

NsysReportInfo read_report_info(SqliteFile& file, const std::vector<SqliteTable>& tables, ProblemLog& problems) {
  return InfoRead(file, tables, problems).run();
}

}  // namespace tv

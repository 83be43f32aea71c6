// Reads what an Nsight Systems export states apart from events: when the capture began, its processes, threads and GPUs, and
// names. Every table is optional; versions from 2022 to 2026 name some differently. Times are ns since the Unix epoch.
// Cost: one pass over tables of some thousand rows. Source: Nsight Systems.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/io/tables/sqlite_file.h"
#include "core/read/nsys/nsys_strings.h"
#include "core/read/nsys/nvtx_payload.h"
#include "core/store/draft/problem.h"

namespace tv {

struct NsysGpu {
  std::string name;  ///< "NVIDIA H100 80GB HBM3"
  std::string bus;
};

struct NsysReportInfo {
  std::string product_version, schema_version, host;
  std::optional<Ns> session_start;  ///< the time of timestamp 0; none if it is unknown, or if timestamps count from the epoch
  std::optional<Ns> zone_east;      ///< offset of the host's local time from UTC, rounded to quarters of an hour
  bool since_epoch = false;         ///< timestamps count from the epoch: exported with --ts-normalize

  NsysStrings strings;
  std::map<std::int64_t, std::string> process_names;  ///< by global pid
  std::map<std::int64_t, std::string> thread_names;   ///< by global tid
  std::map<std::int64_t, std::int64_t> mpi_ranks;     ///< by global pid
  std::map<std::int64_t, NsysGpu> gpus;               ///< by physical id
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> gpu_of;      ///< by pid and CUDA's device number in that process
  std::set<std::pair<std::int64_t, std::int64_t>> null_streams;              ///< pid and stream
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> stream_names;  ///< by pid and stream
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> metric_names;  ///< by list or type, and by metric
  NvtxLayouts layouts;
  std::map<std::string, std::string, std::less<>> environment;  ///< of the launched process
  std::string command;                                          ///< with its arguments
  std::vector<std::pair<std::string, std::string>> output;      ///< name and first bytes of the processes' output files

  /// The global pid for rows that name no process: that of the only process, else 0.
  std::int64_t only_process() const { return process_names.size() == 1 ? process_names.begin()->first : 0; }

  /// The physical id of a GPU that CUDA_VISIBLE_DEVICES may have renumbered; CUDA's number if the export has no mapping.
  std::int64_t gpu(std::int64_t pid, std::int64_t device) const {
    const auto found = gpu_of.find({pid, device});
    return found == gpu_of.end() ? device : found->second;
  }
};

/// Reports and leaves out what cannot be read.
NsysReportInfo read_report_info(SqliteFile& file, const std::vector<SqliteTable>& tables, ProblemLog& problems);

}  // namespace tv

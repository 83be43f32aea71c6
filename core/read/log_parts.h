// Reads a training log in chunks on all threads: each chunk becomes a LogPart, and the parts are joined in file order. The
// readers of verl and Megatron logs share this and the helpers below.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/read/line_chunks.h"
#include "core/read/reader.h"
#include "core/store/logs/metric_log.h"

namespace tv {

struct LogPart {
  MetricLog log;  ///< without files and processes
  std::vector<std::pair<std::string, std::int64_t>> processes;  ///< name, pid; each process once
  ProblemLog problems;
  bool proven = true;  ///< for run_chunks()
};

/// Reads all chunks. `scan` is called on any thread; its `text` begins at `offset` in the file. `open_end`: for records of
/// several lines (line_chunks.h).
Result<MetricLog> read_log_parts(ReadContext& context,
                                 const std::function<void(std::string_view text, std::uint64_t offset, LogPart&)>& scan,
                                 const OpenEnd& open_end = {});

/// Replaces each step's `begin`, which is the timestamp at which the step ended, by the time at which the step began
/// (stamped_ends.h). Steps without a duration keep their timestamp.
void begin_by_stamps(MetricLog& log);

/// Stores the log of a whole file in the draft and defines the lane of its steps. `unit`: what the log's numbers count; `times`:
/// where its times come from.
void hand_over_log(ReadContext& context, MetricLog&& log, std::string unit, std::string times = "by the log's own times");

/// Whether the path is that of a program or notebook, which may quote lines of logs.
bool is_program(std::string_view path);
/// Whether the file is JSON or a table, which may contain the names by which logs are recognised.
bool is_data(std::string_view head);

/// Adds, once each, the processes that Ray names before lines: "(WorkerDict pid=39290, ip=10.0.0.2)".
void add_ray_processes(std::string_view text, LogPart& part);

}  // namespace tv

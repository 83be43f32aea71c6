// Reads a training log's text chunk by chunk on all threads. Each chunk gives a part of a MetricLog, and the parts are joined in
// file order. Shared by verl's and Megatron's readers, as are the processes that printed into the log and the lane of the steps.
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

/// Reads all chunks. `scan` is called on any thread, with the chunk's offset in the file. `open_end`: for records that
/// have several lines (line_chunks.h).
Result<MetricLog> read_log_parts(ReadContext& context,
                                 const std::function<void(std::string_view text, std::uint64_t offset, LogPart&)>& scan,
                                 const OpenEnd& open_end = {});

/// Steps come with the time stamp of their line, which is their end, as `begin`. This sets their real begin (stamped_ends.h). Steps
/// without a length keep their stamp.
void begin_by_stamps(MetricLog& log);

/// Hands over the log of a whole file, with the lane that its steps will go to. `unit`: what its numbers count; `times`: how steps
/// are placed if the log has times.
void hand_over_log(ReadContext& context, MetricLog&& log, std::string unit, std::string times = "by the log's own times");

/// Programs and notebooks can contain lines of logs, but are not logs.
bool is_program(std::string_view path);
/// JSON and tables can also contain the names of programs and processes that logs contain.
bool is_data(std::string_view head);

/// Processes that Ray names before a line, "(WorkerDict pid=39290, ip=10.0.0.2)", each process once.
void add_ray_processes(std::string_view text, LogPart& part);

}  // namespace tv

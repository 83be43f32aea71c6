// A training log's text, read chunk by chunk on all threads: each chunk gives a part of a MetricLog, which are joined in file
// order. What verl's and Megatron's readers share, with who printed into the log and the lane of the steps.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/read/reader.h"
#include "core/store/metric_log.h"

namespace tv {

struct LogPart {
  MetricLog log;  ///< without files
  ProblemLog problems;
  bool proven = true;  ///< for run_chunks()
};

/// Appends to a log what a later chunk of the same file gives.
void append_part(MetricLog& log, const MetricLog& later);

/// Reads all chunks; `scan` is called on any thread. `follow`, where there is one, is called in file order, before a part is
/// appended: what needs to know the lines before it.
Result<MetricLog> read_log_parts(ReadContext& context, const std::function<void(std::string_view text, std::uint64_t offset, LogPart&)>& scan,
                                 const std::function<void(const MetricLog& before, LogPart&)>& follow = {});

/// Hands the log of a whole file over, with the lane that its steps will go to. `unit`: what the numbers count.
void hand_over_log(ReadContext& context, MetricLog&& log, std::string unit);

/// Processes that Ray names before a line, "(WorkerDict pid=39290, ip=10.0.0.2)", each once.
void add_ray_processes(std::string_view text, MetricLog& log);

/// The next occurrence of a short text, at the speed of memmem; npos: none.
std::size_t find_text(std::string_view text, std::string_view wanted, std::size_t from);

}  // namespace tv

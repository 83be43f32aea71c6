// A record of a Paddle pipeline log: one job of the static graph's plan. standalone_executor.cc prints the jobs after each step.
//
//   Profiler Info: Job (2), type = forward, micro_batch_id = 2, job_start_time = 1697793307213.760986, job_end_time =
//   ...
//
// Times are milliseconds since the epoch with six decimals, the last of which are rounding noise of a double. A job is identified
// by its type and micro-batch. The number in parentheses is the job's index in the plan, a counter per type, or the micro-batch,
// depending on Paddle's version. Cost: one pass over the record. Source: Paddle.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/store/logs/pipeline_log.h"

namespace tv {

inline constexpr std::string_view kPaddleMarker = "Profiler Info: Job (";

struct PaddleJob {
  std::string_view number, type, micro_batch, begin, end;  ///< as written
  std::size_t length = 0;                                  ///< of the record, which begins with kPaddleMarker
};

enum class PaddleParse {
  Whole,
  Cut,  ///< the text ends within the record
  Bad,  ///< the text is not such a record
};

/// Parses the record at the beginning of the text. `job` is complete only if the result is Whole.
PaddleParse parse_paddle_job(std::string_view text, PaddleJob& job);

/// "backward_w1_reduce" -> "1": the virtual stage, or the part of an overlapped job. Nullopt if the type has none.
std::optional<std::string_view> paddle_chunk(std::string_view type);
/// "backward_w1_reduce" -> backward_w. Unknown types become `other`.
PipelineWork paddle_work(std::string_view type);
/// The job's kind of work, micro-batch and chunk; its times are not set. Nullopt if a number is too large.
std::optional<PipelineJob> pipeline_job(const PaddleJob& job);

}  // namespace tv

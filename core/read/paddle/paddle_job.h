// One record of a Paddle pipeline log: a job of the static graph's plan, printed by standalone_executor.cc after each step.
//
//   Profiler Info: Job (2), type = forward, micro_batch_id = 2, job_start_time = 1697793307213.760986, job_end_time =
//   ...
//
// Times are milliseconds since the epoch with six decimals, the last two of them noise of a double. A job is identified by its
// type and micro-batch; the number in brackets is the index in the plan, a counter per type, or the micro-batch, depending on the
// version. Cost: one pass over the record. Source: Paddle.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/store/logs/pipeline_log.h"

namespace tv {

inline constexpr std::string_view kPaddleMarker = "Profiler Info: Job (";

struct PaddleJob {
  std::string_view number, type, micro_batch, begin, end;  ///< as written
  std::size_t length = 0;                                  ///< of the record, from the marker on
};

enum class PaddleParse {
  Whole,
  Cut,  ///< the text ends before the record does
  Bad,
};

/// The record at the beginning of the text.
PaddleParse parse_paddle_job(std::string_view text, PaddleJob& job);

/// "backward_w1_reduce" -> "1": the virtual stage, or the part of an overlapped job; nullopt if the type has none.
std::optional<std::string_view> paddle_chunk(std::string_view type);
/// "backward_w1_reduce" -> backward_w. Unknown types are `other`.
PipelineWork paddle_work(std::string_view type);
/// The job's values as numbers; nullopt if they are larger than any possible value.
std::optional<PipelineJob> pipeline_job(const PaddleJob& job);

}  // namespace tv

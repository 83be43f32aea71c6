// Parses lines of a Megatron-LM console log, in the dialects of Megatron-LM, Megatron-DeepSpeed, ALCF, llm-jp, MindSpeed and
// NeMo 2:
//
//   iteration       10/    1000 | consumed samples:  40 | elapsed time per iteration (ms): 3171.3 | lm loss: 1.2E+01 |
//   iteration: 10/infinity | lm loss 7.6E+00 |          as in 2020: no colon after a metric; an unknown total
//   Training epoch 0, iteration 3/9 | lr: 1e-07 | train_step_timing in s: 2.5          NeMo 2
//   time (ms) | forward-compute: 265.42 | optimizer: 82.95
//       forward-backward ...............................: (26094.39, 26095.09)
//
// Each function parses one line without knowing the lines around it. Values keep their unit. Cost: O(line). Source: Megatron-LM.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "core/base/time.h"

namespace tv {

/// The largest iteration number. A line with a larger number still counts as an iteration, with the number kMostIterations + 1.
inline constexpr std::int64_t kMostIterations = 1'000'000'000'000;

/// Called for each value of a line.
using TakeValue = std::function<void(std::string_view name, double value)>;

struct MegatronIteration {
  std::int64_t iteration = 0;
  std::optional<double> elapsed_ms;  ///< mean per iteration since the previous line
  std::optional<Ns> end;       ///< the line's timestamp: when the line was printed
  bool zoned = false;          ///< the timestamp names its time zone
};
/// Reads "iteration 10/1000 | ...". `written`: when the file was written, for stamps without a year.
std::optional<MegatronIteration> megatron_iteration(std::string_view line, const TakeValue& take, Ns written = 0);
struct MegatronContinuation {
  std::optional<double> elapsed_ms;  ///< as for an iteration
};
/// Reads "  learning rate: 3E-05 | global batch size: 512 |", the continuation of an iteration's line that was wrapped after a
/// bar. It must contain a bar, and a named number in each part.
std::optional<MegatronContinuation> megatron_continuation(std::string_view line, const TakeValue& take);

/// Whether a line ends with a name and a complete number, as NeMo 2's lines do: "... | train_step_timing in s: 2.25".
bool ends_with_value(std::string_view line);

/// A row of the table of timers: "name ...: (least, most)" or "name ...: value", for which `least` equals `most`.
struct MegatronTimer {
  std::string_view name;
  double least = 0, most = 0;
};
std::optional<MegatronTimer> megatron_timer(std::string_view line);
/// "  forward-backward:", the timer to which the following lines of ranks belong.
std::optional<std::string_view> megatron_timer_head(std::string_view line);
/// "     rank  0: 123.45".
struct MegatronRank {
  std::int64_t rank = 0;
  double value = 0;
};
std::optional<MegatronRank> megatron_rank(std::string_view line);

/// "time (ms) | name: value | ...".
bool megatron_times(std::string_view line, const TakeValue& take);
using TakeRankValue = std::function<void(std::string_view name, std::int64_t rank, double value)>;
/// The iteration of "[Rank 18] (after 20 iterations) memory (MB) | allocated: ...". A line may hold several ranks.
std::optional<std::int64_t> megatron_memory(std::string_view line, const TakeRankValue& take);
/// The iteration of "validation loss at iteration 1000 | lm loss value: ... |", or -1 if the line has no valid one.
std::optional<std::int64_t> megatron_validation(std::string_view line, const TakeValue& take);

/// A one-time event, with its time if the line has one.
struct MegatronEvent {
  std::string_view name;
  std::optional<Ns> time;
  std::optional<std::int64_t> pid;
  bool zoned = false;  ///< the time names its zone
};
/// "saving checkpoint at iteration ...", "[after megatron is initialized] datetime: ...", "STAGE:... Completed Stage: Warm Up".
std::optional<MegatronEvent> megatron_event(std::string_view line);

}  // namespace tv

// Lines of a Megatron-LM console log, in the dialects of Megatron-LM, Megatron-DeepSpeed, ALCF, llm-jp, MindSpeed and
// NeMo 2:
//
//   iteration       10/    1000 | consumed samples:  40 | elapsed time per iteration (ms): 3171.3 | lm loss: 1.2E+01 |
//   iteration: 10/infinity | lm loss 7.6E+00 |          colons as of some years only; no end in sight
//   Training epoch 0, iteration 3/9 | lr: 1e-07 | train_step_timing in s: 2.5          NeMo 2
//   time (ms) | forward-compute: 265.42 | optimizer: 82.95
//       forward-backward ...............................: (26094.39, 26095.09)
//
// Each function looks at one line and takes what it finds; none needs to know the lines around. Values keep their unit.
// Cost: O(line). Source: Megatron-LM.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "core/base/time.h"

namespace tv {

/// Iterations are whole numbers up to this. A line that tells more is still one of these, and says kMostIterations + 1.
inline constexpr std::int64_t kMostIterations = 1'000'000'000'000;

/// Called for each value of a line.
using TakeValue = std::function<void(std::string_view name, double value)>;

struct MegatronIteration {
  std::int64_t iteration = 0;
  std::optional<double> elapsed_ms;  ///< mean per iteration since the line before, as logged
  std::optional<Ns> end;       ///< the line's time stamp: when it was printed
  bool zoned = false;          ///< the stamp names its zone
};
/// Reads "iteration 10/1000 | ...". `written`: when the file was written, for stamps without a year.
std::optional<MegatronIteration> megatron_iteration(std::string_view line, const TakeValue& take, Ns written = 0);
/// Reads "  learning rate: 3E-05 | global batch size: 512 |", the continuation of an iteration's line that was wrapped after a bar.
/// It may hold only numbers with their names, and must end with a bar or the last of them. `elapsed_ms` as for an iteration.
struct MegatronContinuation {
  std::optional<double> elapsed_ms;
};
std::optional<MegatronContinuation> megatron_continuation(std::string_view line, const TakeValue& take);

/// Whether the last part of a line is a name and a whole number, as in those of NeMo 2: "... | train_step_timing in s: 2.25".
bool ends_with_value(std::string_view line);

/// A row of the timers' table: "name ...: (least, most)" or "name ...: value". With one value, `least` equals `most`.
struct MegatronTimer {
  std::string_view name;
  double least = 0, most = 0;
};
std::optional<MegatronTimer> megatron_timer(std::string_view line);
/// "  forward-backward:", the head of the lines of all ranks.
std::optional<std::string_view> megatron_timer_head(std::string_view line);
/// "     rank  0: 123.45".
struct MegatronRank {
  std::int64_t rank = 0;
  double value = 0;
};
std::optional<MegatronRank> megatron_rank(std::string_view line);

/// "time (ms) | name: value | ...".
bool megatron_times(std::string_view line, const TakeValue& take);
/// "[Rank 18] (after 20 iterations) memory (MB) | allocated: ...": the iteration. Several may share a line.
using TakeRankValue = std::function<void(std::string_view name, std::int64_t rank, double value)>;
std::optional<std::int64_t> megatron_memory(std::string_view line, const TakeRankValue& take);
/// "validation loss at iteration 1000 | lm loss value: ... |": the iteration, or -1 if it is not given.
std::optional<std::int64_t> megatron_validation(std::string_view line, const TakeValue& take);

/// Something that happened once, in words, with its time where the line tells it.
struct MegatronEvent {
  std::string_view name;
  std::optional<Ns> time;
  std::optional<std::int64_t> pid;
  bool zoned = false;  ///< the time names its zone
};
/// "saving checkpoint at iteration ...", "[after megatron is initialized] datetime: ...", "STAGE:... Completed Stage: Warm Up".
std::optional<MegatronEvent> megatron_event(std::string_view line);

}  // namespace tv
